/** Renders the page at `/app` when web/ is not built. It contains no script. */
export function renderMissingAppPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>The dashboard is not built · Team Standup</title>
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
    <style nonce="${nonce}">${style}</style>
  </head>
  <body>
    <main>
      <p class="brand"><span aria-hidden="true"></span>Team Standup</p>
      <h1>The dashboard is not built here</h1>
      <p>The service is running: the API, Slack and webhooks work. To get the dashboard, the operator builds it in the folder of the service, then restarts the service:</p>
      <pre><code>npm run build</code></pre>
      <p>This page signs no one in or out. Everything the dashboard does is in the <a href="/docs">API</a> too.</p>
    </main>
  </body>
</html>
`;
}

const style = `
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;overflow-wrap:anywhere;
background:light-dark(#f6f7f4,#0e1311);color:light-dark(#19201c,#e7ede9);font:16px/24px system-ui,sans-serif}
main{width:100%;max-width:480px;padding:24px;border:1px solid light-dark(#dde2dc,#2a332f);border-radius:8px;
background:light-dark(#fff,#161c19)}
.brand{display:flex;align-items:center;gap:8px;margin:0 0 16px;font-weight:600}
.brand span{width:18px;height:18px;border:4px solid light-dark(#0b6b5b,#4ed0b4);
border-inline-end-color:light-dark(#dde2dc,#2a332f);border-radius:50%}
h1{margin:0 0 12px;font-size:24px;line-height:32px}
p{margin:0 0 12px;color:light-dark(#515c56,#a5b2ab)}
.brand{color:inherit}
p:last-child{margin:0}
pre{margin:0 0 12px;padding:12px;border-radius:8px;background:light-dark(#ecefea,#1f2723);overflow-x:auto}
a{color:light-dark(#0b6b5b,#4ed0b4)}
a:focus-visible{outline:3px solid light-dark(#1a5fd0,#8db6ff);outline-offset:2px}
`;
