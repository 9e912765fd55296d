// What an untrusted peer may not tell: who it is and what it asked for.
const spoofable = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-original-.*|x-rewrite-url|x-client-certificate)$/;

// No header of HTTP: CGI hands it to programs as HTTP_PROXY, by which many of them choose where their own requests go.
export const proxyOfPrograms = "proxy";

/** Whether a header, by its name in lower case, tells who the client is and what it asked for, which only a proxy may say. */
export function isProxysWord(name: string): boolean {
  return maySpoof(name) && spoofable.test(name);
}

function maySpoof(name: string): boolean {
  return name.startsWith("x-") || name === "forwarded";
}
