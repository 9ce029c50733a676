// The introduction of the API document: introduction.md with the URLs of the installation.

import { readFileSync } from 'node:fs'

/** Returns the introduction in Markdown. */
export const introduction = ({ baseUrl, authUrl }: { baseUrl: string; authUrl: string }): string =>
  readFileSync(new URL('./introduction.md', import.meta.url), 'utf8')
    .replaceAll('{{baseUrl}}', baseUrl)
    .replaceAll('{{authUrl}}', authUrl)
