// docs/conformance.md: what the contract asks for, row by row, with the tests that prove it. A row that is
// not proved is a gap.

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSecretBox } from '../../src/platform/secret-box.ts'
import { endpointsOf } from '../../src/routes.ts'
import { sections } from './contract.ts'
import type { Document } from './document.ts'
import type { Row, Section } from './rows.ts'

export const pagePath = new URL('../../docs/conformance.md', import.meta.url)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Whether a test file has a test of this title. */
type HasTitle = (title: string) => boolean

const endpointNames = new Set(
  endpointsOf({ secretBox: openSecretBox(randomBytes(32)), webhookAllowPrivate: false }).flatMap(
    ({ method, path }) => [`${method} ${path}`, method, path],
  ),
)

/**
 * The titles of a test file. A title that is made for each of several things has a place for their names;
 * what stands there must be an endpoint, or a text or key of the same file.
 */
function titlesIn(text: string): HasTitle[] {
  const isNamed = (name: string) =>
    endpointNames.has(name) ||
    ["'", '"', '`'].some(quote => text.includes(quote + name + quote)) ||
    new RegExp(`[\\s{]${escaped(name)}:`).test(text)
  const found = text.matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)
  return [...found].map(([, , template]) => {
    const parts = (template as string).split(/\$\{[^}]*\}/).map(part => escaped(part.replace(/\\(.)/g, '$1')))
    const pattern = new RegExp(`^${parts.join('(.+)')}$`, 's')
    return title => pattern.exec(title)?.slice(1).every(isNamed) ?? false
  })
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * The titles of every test file, by its path below test/ (of the client's `client/test/…`) without
 * `.test.ts`.
 */
export function readTitles(): Map<string, HasTitle[]> {
  const titles = new Map<string, HasTitle[]>()
  for (const [folder, prefix] of [
    ['test', ''],
    ['client/test', 'client/test/'],
  ] as const) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.test.ts')) continue
      const text = readFileSync(join(root, folder, name), 'utf8')
      titles.set(prefix + name.slice(0, -'.test.ts'.length), titlesIn(text))
    }
  }
  return titles
}

/**
 * What keeps a row from being proved: what the document lacks, tests that are not there, or no proof at all.
 */
export function gapsOf(row: Row, document: Document, titles: Map<string, HasTitle[]>): string[] {
  const missing = row.proofs.filter(proof => {
    const { file, title } = proofOf(proof)
    return !titles.get(file)?.some(has => has(title))
  })
  const gaps = [
    ...(row.lacks?.(document) ?? []),
    ...missing.map(proof => `there is no test "${proofOf(proof).title}"`),
  ]
  return gaps.length === 0 && row.proofs.length === 0 && !row.isShape ? ['no test proves it yet'] : gaps
}

function proofOf(proof: string): { file: string; title: string } {
  const [, file = '', title = ''] = /^([\w/-]+): (.+)$/s.exec(proof) ?? []
  if (title === '') throw new Error(`"${proof}" is not a test: write \`file: title\`.`)
  return { file, title }
}

const inTable = (text: string) => text.replaceAll('|', '\\|')

/** The page as text. */
export function conformancePage(document: Document, titles = readTitles()): string {
  const judged = sections.map(section => judge(section, document, titles))
  const [rows, gaps] = [
    total(judged.map(({ rows }) => rows.length)),
    total(judged.map(section => section.gaps)),
  ]
  return [
    '# Conformance',
    '',
    'What the interface specification asks for, row by row, with what proves it. Tests generate this page (`npm run conformance`), and one fails when',
    'it is out of date: fields, parameters, enumerations and statuses are compared with the API document, which the answers in the tests are held',
    'against; and every test named here exists. What is not proved is a gap.',
    '',
    `**${rows} rows, ${rows - gaps} proved, ${gaps} gaps.**`,
    '',
    '| Section | Rows | Proved | Gaps |',
    '|---|---:|---:|---:|',
    ...judged.map(
      ({ title, rows, gaps }) =>
        `| [${title}](#${anchorOf(title)}) | ${rows.length} | ${rows.length - gaps} | ${gaps || ''} |`,
    ),
    ...judged.flatMap(({ title, rows }) => [
      '',
      `## ${title}`,
      '',
      '| Asked for | Proved by |',
      '|---|---|',
      ...rows,
    ]),
    '',
  ].join('\n')
}

function judge({ title, rows }: Section, document: Document, titles: Map<string, HasTitle[]>) {
  const judged = rows.map(row => ({ row, gaps: gapsOf(row, document, titles) }))
  return {
    title,
    rows: judged.map(
      ({ row, gaps }) =>
        `| ${inTable(row.asks)} | ${inTable(gaps.length > 0 ? `**gap**: ${gaps.join('; ')}` : evidenceOf(row))} |`,
    ),
    gaps: judged.filter(({ gaps }) => gaps.length > 0).length,
  }
}

/** The path of a test file from the page. */
const pathOf = (file: string): string => `../${file.startsWith('client/') ? '' : 'test/'}${file}.test.ts`

function evidenceOf(row: Row): string {
  const named = row.proofs.map(proofOf).map(({ file, title }) => `[${title}](${pathOf(file)})`)
  return [...(row.lacks === undefined ? [] : ['API document']), ...named].join('<br>')
}

const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0)

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
