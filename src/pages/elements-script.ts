/** How the page makes its elements: every text through textContent, so that nothing of a request is ever markup. */
export const elementsScript = `export function find(id) {
  return document.getElementById(id);
}

/** An element with a class, and texts or elements in it. */
export function element(name, className, ...contents) {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  for (const content of contents) made.append(typeof content === "object" ? content : document.createTextNode(String(content)));
  return made;
}

export function cell(text, className = "") {
  return element("td", className, text ?? "–");
}

export function row(...cells) {
  return element("tr", "", ...cells);
}

/** Names and values, one pair a line. */
export function list(pairs) {
  return element("dl", "", ...pairs.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]));
}

export function button(text, label, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

export function time(milliseconds) {
  return new Date(milliseconds).toLocaleTimeString("en-GB") + "." + String(milliseconds % 1000).padStart(3, "0");
}
`;
