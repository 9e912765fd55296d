/** The page: nothing of any document stands in it. */
export const documentText = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>What this gateway offers</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
<script type="module" src="main.js"></script>
</head>
<body>
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<h1>What this gateway offers</h1>
<p id="state" role="status">Loading…</p>
</header>
<main>
<noscript><p>This page needs JavaScript.</p></noscript>
<form id="choice">
<p class="field grow"><label for="document">Service</label>
<select id="document"></select></p>
<p class="field grow"><label for="filter">Filter</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false"></p>
<p class="field"><a id="source" href="docs">The document</a></p>
</form>
<div id="about"></div>
<section id="credentials" aria-labelledby="credentials-title" hidden>
<h2 id="credentials-title">Credentials</h2>
<p class="note">They stay in this page, and go along with the requests that ask for them. Nothing is kept.</p>
<form id="credential-fields"></form>
</section>
<section aria-labelledby="operations-title">
<h2 id="operations-title">Operations</h2>
<p id="operations-note" class="note" role="status"></p>
<div id="operations" tabindex="-1"></div>
</section>
<section id="schemas" aria-labelledby="schemas-title" hidden>
<h2 id="schemas-title">Schemas</h2>
<div id="schema-list"></div>
</section>
</main>
</body>
</html>
`;
