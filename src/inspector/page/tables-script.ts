/** Tables that change while somebody looks at them: what has not changed keeps its place, and buttons their focus. */
export const tablesScript = `import { button, element, find } from "./elements.js";

/** Fills the table of a section with rows of a key, texts and perhaps a button; a section without rows is hidden. */
export function fillSection(name, rows) {
  find(name + "-section").hidden = rows.length === 0;
  const body = find(name);
  rows.forEach((row, index) => fillRow(body, index, row));
  while (body.rows.length > rows.length) body.lastElementChild.remove();
}

function fillRow(body, index, { key, cells, act }) {
  let line = body.rows[index];
  if (line?.dataset.key !== key) {
    const made = makeRow(key, cells, act);
    if (line === undefined) body.append(made);
    else line.replaceWith(made);
    line = made;
  }
  cells.forEach(([text, look = ""], place) => fillCell(line.cells[place], text, look));
}

function makeRow(key, cells, act) {
  const line = element("tr", "", ...cells.map(() => element("td", "")));
  line.dataset.key = key;
  if (act) line.append(element("td", "short", button(act.text, act.label, act.run)));
  return line;
}

function fillCell(cell, text, look) {
  const shown = String(text ?? "–");
  if (cell.textContent !== shown) cell.textContent = shown;
  if (cell.className !== look) cell.className = look;
}

/** Writes a text where it is not there yet: others would hear it again. */
export function say(id, text) {
  const place = find(id);
  if (place.textContent !== text) place.textContent = text;
}
`;
