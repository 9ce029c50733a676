// Serves /openapi.json and the reference page at /docs, which loads nothing from other hosts.

import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { startThread } from '../thread.ts'
import { compress, sendCompressed } from './compressed.ts'
import type { CompressedScript } from './reference-script.ts'

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

// Everything that would contact another host is off: fonts, telemetry, the assistant, the hosted client.
const openScript = `Scalar.createApiReference('#reference', {
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
    // Scalar drops the redirect URI of the document when the first field is filled in. If there is none, it
    // uses the address of this page and keeps it.
    securitySchemes: { oauth2: { flows: { authorizationCode: { 'x-scalar-secret-redirect-uri': '' } } } },
  },
})

// Adds accessible names to fields whose label refers to their container or to nothing, and to buttons that
// show only an icon. A name begins with the visible text.
const addNames = () => {
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
// Runs on every change, so that each part of the page has its names from the beginning.
new MutationObserver(addNames).observe(document.body, {
  childList: true,
  subtree: true,
  attributeFilter: ['aria-label', 'for'],
})
`

// The page looks like the portal. The colours of its own have enough contrast on every background.
const tokens = readFileSync(new URL('../../../ui/tokens.css', import.meta.url), 'utf8')
const style = `${tokens}
body.light-mode {
  color-scheme: light;
}
body.dark-mode {
  color-scheme: dark;
}
body.light-mode,
body.dark-mode {
  --scalar-background-1: var(--card);
  --scalar-background-2: var(--ground);
  --scalar-background-3: var(--hover);
  --scalar-border-color: var(--hairline);
  --scalar-color-1: var(--text);
  --scalar-color-2: var(--quiet);
  --scalar-color-3: var(--quiet);
  --scalar-color-accent: var(--accent);
  --scalar-font: var(--font);
  --scalar-radius: var(--radius);
  --scalar-radius-lg: var(--radius-card);
}
body.light-mode {
  --scalar-color-green: #04704b;
  --scalar-color-red: #c80005;
  --scalar-color-blue: #0064a1;
  --scalar-color-orange: #a83a00;
}
`

// The page sets styles on elements and draws its icons as data URLs.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; font-src data:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'"

/** Caches the result of a function. A failure is not cached, so the next call tries again. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return () => {
    cached ??= make().catch(error => {
      cached = undefined
      throw error
    })
    return cached
  }
}

/** Extracts and compresses the script of the page, in a thread. */
async function compressScript(): Promise<CompressedScript> {
  let script: CompressedScript | undefined
  const thread = startThread<never, CompressedScript>({
    file: new URL('./reference-script.ts', import.meta.url),
    onMessage(message) {
      script = message
      void thread.terminate()
    },
  })
  const error = await thread.ended
  if (script === undefined) throw error ?? new Error('The thread made no script.')
  return script
}

/**
 * Serves the document and the page, and redirects `/` to the page. The document is built and the script is
 * compressed when they are first requested.
 */
export function addApiReference(app: FastifyInstance, document: () => object): void {
  const script = lazily(compressScript)
  const json = lazily(() => compress(Buffer.from(JSON.stringify(document()))))
  const withHeaders = (reply: FastifyReply, type: string) =>
    reply.header('content-type', `${type}; charset=utf-8`).header('content-security-policy', policy)

  app.get('/openapi.json', async (request, reply) =>
    sendCompressed(request, reply.header('content-type', 'application/json; charset=utf-8'), await json()),
  )
  for (const url of ['/', '/docs/'])
    app.route({ method: ['GET', 'HEAD'], url, handler: async (_request, reply) => reply.redirect('/docs') })
  for (const [url, type, text] of [
    ['/docs', 'text/html', page],
    ['/docs/open.js', 'text/javascript', openScript],
    ['/docs/reference.css', 'text/css', style],
  ] as const) {
    const compressed = lazily(() => compress(Buffer.from(text)))
    app.get(url, async (request, reply) =>
      sendCompressed(request, withHeaders(reply, type), await compressed()),
    )
  }
  app.get('/docs/reference.js', async (request, reply) =>
    sendCompressed(request, withHeaders(reply, 'text/javascript'), await script()),
  )
}
