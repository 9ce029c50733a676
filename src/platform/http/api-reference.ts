// /openapi.json and the reference page at /docs, which loads nothing from elsewhere.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

// The last two are where a sign-in returns to.
const assets = ['swagger-ui-bundle.js', 'swagger-ui.css', 'oauth2-redirect.html', 'oauth2-redirect.js']

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>
This page needs a script; the document it shows is at <a href="/openapi.json">/openapi.json</a>.
</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/open.js"></script>
</body>
</html>
`

const opener = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  oauth2RedirectUrl: location.origin + '/docs/oauth2-redirect.html',
})
`

// Swagger UI sets styles on elements and draws its icons as data URLs.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; font-src data:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'"

/**
 * Serves the document and the page, and leads there who asks for the address itself. The document is made
 * when it is first asked for.
 */
export function addApiReference(app: FastifyInstance, document: () => object): void {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
  let text: string | undefined
  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(document())
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
  app.get('/docs', async (_request, reply) =>
    reply.header('content-type', types.html).header('content-security-policy', policy).send(page),
  )
  for (const url of ['/', '/docs/'])
    app.route({ method: ['GET', 'HEAD'], url, handler: async (_request, reply) => reply.redirect('/docs') })
  app.get('/docs/open.js', async (_request, reply) => reply.header('content-type', types.js).send(opener))
  for (const name of assets) {
    app.get(`/docs/${name}`, async (_request, reply) =>
      reply
        .header('content-type', types[name.split('.').at(-1) as keyof typeof types])
        .header('content-security-policy', policy)
        .header('cache-control', 'public, max-age=86400')
        .send(await readFile(join(folder, name))),
    )
  }
}
