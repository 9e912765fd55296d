const placeOfDigest = "<digest>";

/** A commented configuration whose routes are locked; the digest is that of its first API key. */
export function createLockedStarter(sha256: string): string {
  return lockedStarter.replace(placeOfDigest, sha256);
}

/** What holds for all routes of a locked configuration; the digest is that of its first API key. */
export function createLockedGlobal(sha256: string): string {
  return lockedGlobal.replace(placeOfDigest, sha256);
}

const lockedGlobal = `  "GlobalConfiguration": {
    // Which schemes hold for routes without their own. Without this, such routes would stand open.
    "AuthenticationOptions": { "AuthenticationProviderKeys": ["Bearer"] },

    // What the names of schemes stand for.
    "AuthenticationSchemes": {
      // Signed tokens in "Authorization: Bearer …".
      "Bearer": {
        "Type": "Jwt",
        // Put yours here: exactly what tokens have as "iss". Its keys are found from there.
        "Issuer": "https://login.example.org",
        // What tokens for this API have as "aud".
        "Audience": "orders-api",
      },
      // Keys in the header X-Api-Key. Only digests stand here: printf %s "$KEY" | sha256sum
      "Partners": {
        "Type": "ApiKey",
        "Keys": [{ "Name": "first", "Sha256": "${placeOfDigest}" }],
      },
    },
  },`;

const lockedStarter = `{
  // Completion and explanations in editors; the gateway does not read it.
  "$schema": "./node_modules/waymark/schema.json",

  "Routes": [
    {
      // Locked as GlobalConfiguration says, and the client needs one of these scopes as well.
      "Key": "order",
      "UpstreamPathTemplate": "/orders/{id}",
      "DownstreamPathTemplate": "/api/orders/{id}",
      "DownstreamHostAndPorts": [{ "Host": "localhost", "Port": 5001 }],
      "AuthenticationOptions": { "AllowedScopes": ["orders.read", "orders.write"] },
    },
    {
      // Schemes of its own replace the global ones; the first that recognises the client lets it in.
      "Key": "prices",
      "UpstreamPathTemplate": "/prices",
      "UpstreamHttpMethod": ["Get"],
      "DownstreamPathTemplate": "/api/prices",
      "DownstreamHostAndPorts": [{ "Host": "localhost", "Port": 5002 }],
      "AuthenticationOptions": { "AuthenticationProviderKeys": ["Partners", "Bearer"] },
    },
    {
      // Anybody may come in here, and nowhere else.
      "Key": "help",
      "UpstreamPathTemplate": "/help",
      "DownstreamPathTemplate": "/help",
      "DownstreamHostAndPorts": [{ "Host": "localhost", "Port": 5003 }],
      "AuthenticationOptions": { "AllowAnonymous": true },
    },
  ],

${lockedGlobal}
}
`;
