// Every request of the page: asked from here, so that what happened can be shown beside it.
for (const control of document.querySelectorAll(".ask:not([data-elsewhere])")) {
  control.addEventListener("click", (event) => {
    // A new tab or window is what the visitor asked for.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void askAndShow(control);
  });
}

async function askAndShow(control) {
  const card = control.closest(".card");
  const result = card.querySelector(".result");
  for (const other of card.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
  control.setAttribute("aria-current", "true");
  card.classList.add("open");
  result.hidden = false;
  result.setAttribute("aria-busy", "true");
  result.replaceChildren(element("p", { class: "note" }, "Asking …"));
  try {
    result.replaceChildren(...(await show(control)));
  } catch (error) {
    result.replaceChildren(
      element("p", { class: "status refused" }, `No answer: ${error.message}. Is the example still running?`),
    );
  }
  result.removeAttribute("aria-busy");
}

async function show(control) {
  if (control.dataset.says !== undefined) return talk(control.dataset);
  if (control.dataset.listens !== undefined) return listen(control.dataset);
  return describe(control, await ask(control));
}

async function ask(control) {
  const { url = control.getAttribute("href"), method = "GET", headers: own = "{}", body, as } = control.dataset;
  const headers = JSON.parse(own);
  const token = as === undefined ? {} : await fetchToken(as);
  const started = performance.now();
  const answer = await fetch(url, { method, headers: { ...headers, ...token }, body, cache: "no-store" });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const milliseconds = Math.round(performance.now() - started);
  const id = answer.headers.get("x-request-id");
  const trace =
    id === null ? undefined : await fetch(`/trace/${encodeURIComponent(id)}`).then((response) => response.json());
  return { url, method, headers, body, as, answer, bytes, milliseconds, trace };
}

/** The header with which a user comes in. It is not shown: whoever sees a token can use it. */
async function fetchToken(user) {
  const answer = await fetch(`/token/${encodeURIComponent(user)}`);
  if (!answer.ok) throw new Error(`the OpenID provider gave ${user} no token`);
  const [name, value] = (await answer.text()).trim().split(": ");
  return { [name]: value };
}

function openWebSocket(url) {
  return new WebSocket(new URL(url, location.href.replace(/^http/, "ws")));
}

function nextMessage(socket) {
  return new Promise((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => resolve(data), { once: true });
    socket.addEventListener("error", () => reject(new Error("the WebSocket could not be opened")));
  });
}

async function talk({ url, says }) {
  const socket = openWebSocket(url);
  socket.addEventListener("open", () => socket.send(says));
  const answer = await nextMessage(socket);
  socket.close();
  const hops = [hop("You opened", socket.url), hop("You said", says), hop("The service said", answer)];
  return [element("ol", { class: "hops" }, ...hops)];
}

/** Shows what comes as long as it is there to be seen. A screen reader is not told every second. */
async function listen({ url }) {
  const socket = openWebSocket(url);
  const ticking = element("code", { class: "ticking", "aria-live": "off" }, await nextMessage(socket));
  socket.addEventListener("message", ({ data }) => {
    if (ticking.isConnected) ticking.textContent = data;
    else socket.close();
  });
  socket.addEventListener("close", ({ code }) => ticking.after(` (closed with ${code})`));
  const said = element("li", {}, element("h4", {}, "The service says"), element("p", {}, ticking));
  return [element("ol", { class: "hops" }, hop("You opened", socket.url), said)];
}

function describe(control, asked) {
  const hops = [youAsked(asked), gatewayAsked(asked), ...arrivals(asked), youGot(asked)];
  return [
    element("ol", { class: "hops" }, ...hops),
    fold("The answer's body", bodyText(asked), true),
    fold("The answer's headers", headerText(Object.fromEntries(asked.answer.headers))),
    ...(asked.trace?.sent === undefined
      ? []
      : [fold("The headers that the gateway sent", headerText(asked.trace.sent.headers))]),
    fold("In the terminal", control.dataset.curl),
  ];
}

function youAsked({ method, url, headers, body, as }) {
  const notes = [
    as === undefined ? "" : `with a token of ${as}`,
    headerText(headers),
    body === undefined ? "" : `${body.length} bytes of body`,
  ];
  return hop("You asked the gateway", `${method} ${url}`, ...notes);
}

function gatewayAsked({ trace }) {
  if (trace === undefined)
    return hop("The gateway", "No route matched", "The request was left to the rest of the app.");
  if (trace.sent === undefined) return hop("The gateway", "Sent nothing", "It, or a middleware, answered by itself.");
  const { method, url } = trace.sent;
  return hop("The gateway asked", `${method} ${url}`, `Route ${trace.route}`);
}

function arrivals({ trace }) {
  if (trace?.sent === undefined) return [];
  if (trace.arrivals.length === 0) return [hop("The naming service", "Found nobody to ask", "It answered by itself.")];
  return trace.arrivals.map(({ service, method, target }) => hop("A service got", `${method} ${target}`, service));
}

function youGot({ answer, milliseconds, bytes }) {
  const kind = answer.status < 400 ? "fine" : "refused";
  const status = element("p", { class: `status ${kind}` }, `${answer.status} ${answer.statusText}`);
  const type = answer.headers.get("content-type") ?? "no content type";
  const coding = answer.headers.get("content-encoding");
  const size = `${bytes.length} bytes${coding === null || coding === "identity" ? "" : ` once unpacked from ${coding}`}`;
  return element(
    "li",
    {},
    element("h4", {}, "You got"),
    status,
    element("p", {}, `${type}, ${size}, ${milliseconds} ms`),
  );
}

function hop(title, what, ...notes) {
  const shown = notes.filter((note) => note !== "").map((note) => element("p", {}, note));
  return element("li", {}, element("h4", {}, title), element("p", {}, element("code", {}, what)), ...shown);
}

function fold(title, text, open = false) {
  return element("details", open ? { open: "" } : {}, element("summary", {}, title), element("pre", {}, text));
}

function bodyText({ answer, bytes }) {
  if (bytes.length === 0) return "(empty)";
  const type = answer.headers.get("content-type") ?? "";
  if (!/json|^text\//.test(type)) return hexadecimal(bytes);
  return new TextDecoder().decode(bytes);
}

function hexadecimal(bytes) {
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  return digits.join(" ");
}

function headerText(headers) {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}
