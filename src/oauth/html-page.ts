// Builds the pages of the OAuth server: plain HTML that needs no script and loads nothing.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const style = ['../../ui/tokens.css', 'sign-in.css']
  .map(file => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('')
const styleHash = hash('sha256', style, 'base64')

/**
 * The headers of every page. Nothing is loaded, run or framed. Browsers apply `form-action` to every redirect
 * that follows a form, and an app's redirect URI may redirect people again, so forms may lead to any https
 * address. They may lead to plain http only if `returnTo`, the redirect URI, is a local address.
 */
export function pageHeaders(returnTo?: string): Record<string, string> {
  return headers(returnTo?.startsWith('http:') ? "'self' https: http:" : "'self' https:")
}

/** The headers of a page whose forms lead only to this service. */
export const ownPageHeaders = (): Record<string, string> => headers("'self'")

function headers(forms: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${forms}; ` +
      `base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/** Markup that needs no escaping. */
export interface Html {
  readonly markup: string
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A value that can be inserted into HTML: text, which is escaped, HTML, a list of both, or nothing. */
type Insert = string | Html | readonly Insert[] | false | undefined

function markupOf(value: Insert): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, character => entities[character] as string)
  return 'markup' in value ? value.markup : value.map(markupOf).join('')
}

/** A template tag for HTML that escapes inserted text. */
export const html = (parts: TemplateStringsArray, ...values: Insert[]): Html => ({
  markup: String.raw({ raw: parts }, ...values.map(markupOf)),
})

/** Returns a whole page. */
export const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Waybill</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
<header>Waybill</header>
${content}
</main>
</body>
</html>
`.markup
