// Every sentence of the portal and of papers that counts something can count one.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'

const folder = new URL('../portal/src/words/', import.meta.url)
const files = [
  ...(await readdir(folder)).map(name => new URL(name, folder)),
  new URL('../ui/words.ts', import.meta.url),
  new URL('../src/paper/documents/words.ts', import.meta.url),
]

/** What a table of words says if everything that it counts is one, by the path of the words. */
function said(words: unknown, path: string): [path: string, text: string][] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words === 'object' && words !== null)
    return Object.entries(words).flatMap(([name, part]) => said(part, `${path}.${name}`))
  if (typeof words !== 'function') return []
  try {
    return said(words(1, 1, 1, 1), path)
  } catch {
    // It tells of something else than numbers.
    return []
  }
}

/** Words that end as if they were many. */
const singular =
  /^(is|stays|waits|was|has|this|its|does|gets|less|access|status|process|address|ms|plus|needs)$/

test('where one of something is counted, it is told in the singular', async () => {
  const found: string[] = []
  let counted = 0
  for (const file of files) {
    for (const [path, text] of said(await import(file.href), file.pathname.split('/').at(-1) as string))
      for (const [, noun = '', verb = ''] of text.matchAll(/(?<![\d.,-] ?)\b1 ([a-z]+)\b(?: ([a-z]+))?/g)) {
        counted++
        const isMany = (noun.endsWith('s') && !singular.test(noun)) || /^(are|were|have|do)$/.test(verb)
        if (isMany) found.push(`${path}: ${text}`)
      }
  }
  assert.ok(counted > 50, `${counted} sentences count something`)
  assert.deepEqual(found, [])
})
