// The introduction of the API document: introduction.md with the URLs of the installation.

import { readFileSync } from 'node:fs'
import { paperTable } from './paper-truths.ts'

/** Returns the introduction in Markdown. */
export const introduction = ({ baseUrl, authUrl }: { baseUrl: string; authUrl: string }): string =>
  readFileSync(new URL('./introduction.md', import.meta.url), 'utf8')
    .replaceAll('{{paperTruths}}', paperTable())
    .replaceAll('{{baseUrl}}', baseUrl)
    .replaceAll('{{authUrl}}', authUrl)
