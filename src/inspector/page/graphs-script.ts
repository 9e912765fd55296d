/** The graphs of the last five minutes: SVG of which only numbers are set. */
export const graphsScript = `import { find } from "./elements.js";

const shownSeconds = 300;
const width = 600;
const height = 100;

/** Draws what happened in the last five minutes, and says it in words. */
export function showGraphs({ now, points, total }) {
  const first = Math.floor(now / 1000) - shownSeconds;
  const at = (point) => ((point.at - first) / shownSeconds) * width;
  const mostRequests = highest(points, "requests");
  const slowest = highest(points, "slow");
  const mostErrors = highest(points, "errors");
  draw("requests-line", bars(points, "requests", at, mostRequests));
  draw("errors-line", bars(points, "errors", at, mostErrors));
  draw("slow-line", bars(points, "slow", at, slowest));
  draw("median-line", bars(points, "median", at, slowest));
  say("requests-words", total.requests + " requests, at most " + mostRequests + " in a second");
  say("errors-words", total.errors + " errors, at most " + mostErrors + " in a second");
  say("latency-words", total.requests === 0 ? "no requests" : "half within " + milliseconds(total.median) + ", 95 % within " + milliseconds(total.slow));
}

function highest(points, name) {
  return points.reduce((most, point) => Math.max(most, point[name]), 0);
}

/** A stroke from the ground for each second in which there was something. */
function bars(points, name, at, most) {
  return points.filter((point) => point[name] > 0).map((point) => {
    const x = at(point).toFixed(1);
    return "M" + x + " " + height + "V" + (height - (point[name] / most) * (height - 4)).toFixed(1);
  }).join("");
}

function draw(id, path) {
  find(id).setAttribute("d", path);
}

function say(id, text) {
  const place = find(id);
  if (place.textContent !== text) place.textContent = text;
}

function milliseconds(time) {
  return (time < 10 ? Math.round(time * 10) / 10 : Math.round(time)) + " ms";
}
`;
