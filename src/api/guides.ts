// What somebody has to know before the first call, as the API document begins with it: introduction.md, with
// the addresses of the installation.

import { readFileSync } from 'node:fs'

/** The guides in Markdown. */
export const introduction = ({ baseUrl, authUrl }: { baseUrl: string; authUrl: string }): string =>
  readFileSync(new URL('./introduction.md', import.meta.url), 'utf8')
    .replaceAll('{{baseUrl}}', baseUrl)
    .replaceAll('{{authUrl}}', authUrl)
