/** The page for a visitor who has not shown the secret yet. */
export const entranceText = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>waymark inspector</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
<script type="module" src="open.js"></script>
</head>
<body>
<header>
<h1>waymark inspector</h1>
</header>
<main>
<p id="state" role="status">The inspector opens by its link, which ends in a secret.</p>
<p><code>waymark serve</code> prints the link at the start; in an app of your own <code>inspector(gateway).link(address)</code> makes it.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
</body>
</html>
`;

/** What is behind the # of a link is never sent by itself, and so stands in no log and in no Referer. */
export const entranceScript = `const state = document.getElementById("state");

async function enter() {
  const secret = new URLSearchParams(location.hash.slice(1)).get("token");
  const response = await (secret === null ? fetch("routes", { method: "HEAD" }) : show(secret));
  // A visitor who follows a link from another site sends no cookie at first, though there may be one.
  if (response.ok) location.replace("./");
  else if (secret !== null) state.textContent = await response.text();
}

function show(secret) {
  return fetch("open", { method: "POST", headers: { "x-waymark-secret": secret } });
}

function start() {
  enter().catch((error) => (state.textContent = error.message));
}

addEventListener("hashchange", start);
start();
`;
