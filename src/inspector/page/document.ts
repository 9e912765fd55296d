import { tableSections } from "./table-sections.ts";

/** The page; the token lets its script ask for more than what everybody at this machine may see. */
export function renderDocument(token: string): string {
  return documentText.replace("{token}", token);
}

const documentText = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="waymark-token" content="{token}">
<title>waymark inspector</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
<script type="module" src="main.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<h1>waymark inspector</h1>
<p id="state" role="status">Connecting…</p>
</header>
<main id="main" tabindex="-1">
<noscript><p>This page needs JavaScript.</p></noscript>

<section aria-labelledby="graphs-title">
<h2 id="graphs-title">Last five minutes</h2>
<div class="graphs">
<figure><figcaption>Requests: <span id="requests-words">none yet</span></figcaption>
<svg viewBox="0 0 600 100" preserveAspectRatio="none" aria-hidden="true"><path id="requests-line" class="stroke accent"/></svg></figure>
<figure><figcaption>Errors: <span id="errors-words">none yet</span></figcaption>
<svg viewBox="0 0 600 100" preserveAspectRatio="none" aria-hidden="true"><path id="errors-line" class="stroke wrong"/></svg></figure>
<figure><figcaption>Latency: <span id="latency-words">no requests</span></figcaption>
<svg viewBox="0 0 600 100" preserveAspectRatio="none" aria-hidden="true"><path id="slow-line" class="stroke faint"/><path id="median-line" class="stroke accent"/></svg></figure>
</div>
</section>

<section aria-labelledby="explain-title">
<h2 id="explain-title">Explain a request</h2>
<p>Nothing is sent: the gateway tells what it would do, and why.</p>
<form id="explain-form">
<p class="field"><label for="method">Method</label>
<input id="method" list="methods" value="GET" size="8" required autocomplete="off" spellcheck="false"></p>
<datalist id="methods"><option>GET</option><option>POST</option><option>PUT</option><option>PATCH</option><option>DELETE</option><option>HEAD</option><option>OPTIONS</option></datalist>
<p class="field grow"><label for="path">Path, below the mount path</label>
<input id="path" value="/" required autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="host">Host</label>
<input id="host" value="localhost" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="address">Address of the client</label>
<input id="address" placeholder="any" autocomplete="off" spellcheck="false"></p>
<p class="field wide"><label for="headers">Headers, one per line</label>
<textarea id="headers" rows="2" placeholder="X-Tenant: blue" spellcheck="false"></textarea></p>
<p class="field wide"><button type="submit">Explain</button></p>
</form>
<div id="explanation" aria-live="polite"></div>
</section>

<section aria-labelledby="traffic-title">
<h2 id="traffic-title">Live traffic</h2>
<p class="bar"><button type="button" id="pause" aria-pressed="false">Pause</button>
<button type="button" id="clear">Clear</button>
<span id="traffic-note" role="status">Waiting for requests.</span></p>
<div class="scroll" role="region" aria-labelledby="traffic-title" tabindex="0">
<table>
<caption>The latest 200 requests, newest first</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Route</th><th scope="col">Who</th><th scope="col">Target</th><th scope="col">Status</th><th scope="col" class="number">Duration</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
<tbody id="traffic"></tbody>
</table>
</div>
</section>

<section aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<p id="counts">No requests yet.</p>
<div class="scroll" role="region" aria-labelledby="errors-title" tabindex="0">
<table>
<caption>Failures since the inspector was started, most frequent first</caption>
<thead><tr><th scope="col">Error</th><th scope="col">Route</th><th scope="col" class="number">Count</th><th scope="col">Last at</th><th scope="col">Last path</th></tr></thead>
<tbody id="errors"></tbody>
</table>
</div>
</section>

${tableSections}

<section aria-labelledby="routes-title">
<h2 id="routes-title">Routes</h2>
<p class="bar"><label for="filter">Filter</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false">
<span id="routes-note" role="status"></span></p>
<div class="scroll" role="region" aria-labelledby="routes-title" tabindex="0">
<table>
<caption>In the order in which they are tried; routes for a host come first</caption>
<thead><tr><th scope="col">Route</th><th scope="col">Methods</th><th scope="col">Upstream</th><th scope="col">Downstream</th><th scope="col" class="number">Priority</th><th scope="col">Who may come in</th><th scope="col">What else holds</th><th scope="col">Headers</th><th scope="col">Metadata</th></tr></thead>
<tbody id="routes"></tbody>
</table>
</div>
</section>
</main>
</body>
</html>
`;
