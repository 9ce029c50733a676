// Each column and field of a paper tells what was ordered, what happened, what is now, or what was frozen, and
// the API document says which.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { paperTruths } from '../../src/api/paper-truths.ts'
import { apiDocument } from '../support/api-document.ts'

const folder = new URL('../../src/paper/', import.meta.url).pathname
const groups = ['columns', 'fields', 'dates', 'sums', 'tables', 'parties', 'instructions'] as const

/** The words that a file puts on papers: `columns.quantity`, or those of labels, in capitals. */
function wordsIn(file: string): string[] {
  const text = readFileSync(`${folder}${file}`, 'utf8')
  const own = groups.filter(group => new RegExp(`\\{ [^}]*\\b${group}\\b[^}]* \\} = words\\b`).test(text))
  const named = text.matchAll(new RegExp(`\\bwords\\.(${groups.join('|')})\\.(\\w+)`, 'g'))
  const short = text.matchAll(new RegExp(`(?<![.\\w])(${own.join('|') || 'none'})\\.(\\w+)`, 'g'))
  const capitals = file.startsWith('labels/') ? text.matchAll(/'([A-Z]{2}[A-Z/ ]*)'/g) : []
  return [
    ...new Set([
      ...[...named, ...short].map(([, group, word]) => `${group}.${word}`),
      ...[...capitals].map(([, word]) => (word as string).replaceAll(' ', '_')),
    ]),
  ].toSorted()
}

const keysOf = (list = '') => list.trim().split(/\s+/).filter(Boolean)
const told = (file: string) => [...new Set(Object.values(paperTruths[file]?.truths ?? {}).flatMap(keysOf))]

test('each word of a column or a field of a paper has a truth, and no truth is of none', () => {
  const files = globSync(['documents/**/*.ts', 'labels/*-{contents,layout}.ts'], { cwd: folder }).filter(
    file => file !== 'documents/words.ts',
  )
  for (const file of files) assert.deepEqual(told(file).toSorted(), wordsIn(file), file)
  assert.deepEqual(
    Object.keys(paperTruths).filter(file => !files.includes(file)),
    [],
  )
})

test('the API document says which truth each column and field of a paper tells', () => {
  const { description } = apiDocument().info as { description: string }
  assert.ok(!description.includes('{{'), 'a placeholder is left')
  const lines = description.split('\n')
  for (const line of [
    '| Dispatch confirmation | as it happened | ',
    '| Picking list | as it is now | Already picked, Batch, ',
    '| Statement and tax invoice | frozen at charging | Amount, ',
  ])
    assert.ok(
      lines.some(one => one.startsWith(line)),
      line,
    )
})
