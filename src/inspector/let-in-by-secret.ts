import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { endResponse } from "../bodies/responses/end-response.ts";
import { refuse } from "../pages/answer.ts";

/** Lets in a visitor who has the secret of the link, and from then on by a cookie that the secret opens. */
export type Admission = Readonly<{
  /** The token in the page, without which no other page can ask in its name. */
  pageToken: string;
  isAdmitted: (req: IncomingMessage) => boolean;
  /** Answers a request that shows the secret with the cookie. */
  admit: (req: IncomingMessage, res: ServerResponse) => void;
}>;

/** The text for a visitor who lacks the secret. */
export const howToGetIn =
  "The inspector opens by its link: waymark serve prints it at the start, and inspector(gateway).link(address) makes it.";

/** Makes the admission by one secret; processes that share the secret let each other's guests in. */
export function createAdmission(secret: string): Admission {
  // Neither of them tells the secret, nor each other.
  const ticket = derive(secret, "cookie");
  return { pageToken: derive(secret, "page"), isAdmitted, admit };

  function isAdmitted(req: IncomingMessage): boolean {
    const name = cookieName(req);
    return readCookies(req, name).some((value) => isSame(value, ticket));
  }

  function admit(req: IncomingMessage, res: ServerResponse): void {
    const { "x-waymark-secret": shown } = req.headers;
    if (typeof shown !== "string" || !isSame(shown, secret)) {
      refuse(req, res, 403, `The link is not of this start. ${howToGetIn}`);
      return;
    }
    const secure = (req.socket as Partial<TLSSocket>).encrypted === true ? "; Secure" : "";
    // Without a path of its own the cookie is for the folder of this request, and so for the mount path.
    res.setHeader("set-cookie", `${cookieName(req)}=${ticket}; HttpOnly; SameSite=Strict${secure}`);
    res.statusCode = 204;
    endResponse(res, undefined);
  }
}

/** Compares two texts in a time that tells nothing of them. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function derive(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(`waymark inspector ${purpose}`).digest("base64url");
}

/** Cookies know no ports: several gateways on one host would overwrite each other's. */
function cookieName({ headers: { host = "" } }: IncomingMessage): string {
  return `waymark-inspector-${/:(\d{1,5})$/.exec(host)?.[1] ?? "port"}`;
}

/** Several inspectors, one mounted below the other, give their cookies the same name. */
function readCookies({ headers: { cookie = "" } }: IncomingMessage, name: string): string[] {
  const beginning = `${name}=`;
  const pairs = cookie.split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(beginning)).map((pair) => pair.slice(beginning.length));
}
