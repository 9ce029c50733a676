// /openapi.json and the reference page at /docs, which loads nothing from elsewhere.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { pack, sendPacked } from './packed.ts'
import type { PackedScript } from './reference-script.ts'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<div id="reference"></div>
<noscript>
This page needs a script; the document it shows is at <a href="/openapi.json">/openapi.json</a>.
</noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/open.js"></script>
</body>
</html>
`

// Everything that would ask somebody else is off: fonts, telemetry, the assistant, the hosted client.
const opener = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  defaultOpenAllTags: false,
  documentDownloadType: 'direct',
  operationTitleSource: 'summary',
  authentication: {
    preferredSecurityScheme: 'oauth2',
    // Scalar forgets a redirect URI of the document at the first field that is filled in. Without one it
    // takes the address of this page, and keeps that.
    securitySchemes: { oauth2: { flows: { authorizationCode: { 'x-scalar-secret-redirect-uri': '' } } } },
  },
})

// Fields whose label points at what surrounds them, or at nothing, and buttons that show only a picture,
// are named here. A name begins with the words that can be seen.
const label = () => {
  for (const name of document.querySelectorAll('label[for]')) {
    const field = document.getElementById(name.htmlFor)?.querySelector('[role=combobox]')
    const menu = name.closest('td')?.querySelector('button[aria-haspopup=menu]')
    if (field) {
      field.setAttribute('aria-label', name.textContent)
      field.setAttribute('aria-expanded', 'false')
    } else if (menu) {
      name.id = menu.id + '-label'
      menu.setAttribute('aria-labelledby', name.id + ' ' + menu.id)
    }
    if (field || menu) name.removeAttribute('for')
  }
  for (const button of document.querySelectorAll('button[id^=headlessui-disclosure]:not([aria-label])'))
    if (!button.textContent.trim()) button.setAttribute('aria-label', 'Scopes')
  for (const button of document.querySelectorAll('button.scalar-code-copy')) {
    const name = ['Copy', button.querySelector('span span')?.textContent].join(' ').trim()
    if (button.ariaLabel !== name) button.setAttribute('aria-label', name)
  }
  for (const button of document.querySelectorAll('button.show-more[aria-label^="Show all "]'))
    button.setAttribute('aria-label', button.ariaLabel.replace('Show all', button.textContent.trim() + ':'))
}
// At once, so that nobody meets a part of the page before it is named.
new MutationObserver(label).observe(document.body, {
  childList: true,
  subtree: true,
  attributeFilter: ['aria-label', 'for'],
})
`

// Colours that can be read on every ground of the page.
const style = `body.light-mode {
  --scalar-color-2: #595959;
  --scalar-color-3: #636363;
  --scalar-color-green: #04704b;
  --scalar-color-red: #c80005;
  --scalar-color-blue: #0064a1;
  --scalar-color-orange: #a83a00;
}
body.dark-mode {
  --scalar-color-2: #b4b4b4;
  --scalar-color-3: #a0a0a0;
}
`

// The page sets styles on elements and draws its icons as data URLs.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; font-src data:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'"

/** What a function returns, asked for once; again only after it has failed. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}

/** The script of the page, packed. */
async function packedScript(): Promise<PackedScript> {
  const worker = new Worker(new URL('./reference-script.ts', import.meta.url))
  try {
    const [packed] = (await once(worker, 'message')) as [PackedScript]
    return packed
  } finally {
    await worker.terminate()
  }
}

/**
 * Serves the document and the page, and leads there who asks for the address itself. The document is made,
 * and the script read, when they are first asked for.
 */
export function addApiReference(app: FastifyInstance, document: () => object): void {
  const script = lazily(packedScript)
  const json = lazily(() => pack(Buffer.from(JSON.stringify(document()))))
  const send = (reply: FastifyReply, type: string) =>
    reply.header('content-type', `${type}; charset=utf-8`).header('content-security-policy', policy)

  app.get('/openapi.json', async (request, reply) =>
    sendPacked(request, reply.header('content-type', 'application/json; charset=utf-8'), await json()),
  )
  for (const url of ['/', '/docs/'])
    app.route({ method: ['GET', 'HEAD'], url, handler: async (_request, reply) => reply.redirect('/docs') })
  for (const [url, type, text] of [
    ['/docs', 'text/html', page],
    ['/docs/open.js', 'text/javascript', opener],
    ['/docs/reference.css', 'text/css', style],
  ] as const) {
    const packed = lazily(() => pack(Buffer.from(text)))
    app.get(url, async (request, reply) => sendPacked(request, send(reply, type), await packed()))
  }
  app.get('/docs/reference.js', async (request, reply) =>
    sendPacked(request, send(reply, 'text/javascript'), await script()),
  )
}
