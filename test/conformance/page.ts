// docs/conformance.md: the requirements of the contract, row by row, with the tests that prove them. A row
// that is not proved is a gap.

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openOutgoingHttp } from '../../src/platform/outgoing/outgoing-http.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import { endpointsOf } from '../../src/routes.ts'
import { sections } from './contract.ts'
import type { Document } from './document.ts'
import type { Row, Section } from './rows.ts'

export const pagePath = new URL('../../docs/conformance.md', import.meta.url)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Whether a test file has a test of this title. */
type HasTitle = (title: string) => boolean

const endpointNames = new Set(
  endpointsOf({
    secretBox: createSecretBox(randomBytes(32)),
    outgoing: openOutgoingHttp({ allowPrivate: false }),
  }).flatMap(({ method, path }) => [`${method} ${path}`, method, path]),
)

/**
 * Returns the titles in a test file. A parameterised title contains placeholders; the values in their place
 * must be endpoints, or strings or keys of the same file.
 */
function findTitles(text: string): HasTitle[] {
  const isKnownValue = (name: string) =>
    endpointNames.has(name) ||
    ["'", '"', '`'].some(quote => text.includes(quote + name + quote)) ||
    new RegExp(`[\\s{]${escaped(name)}:`).test(text)
  const found = text.matchAll(/\b(?:test|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)
  return [...found].map(([, , template]) => {
    const parts = (template as string).split(/\$\{[^}]*\}/).map(part => escaped(part.replace(/\\(.)/g, '$1')))
    const pattern = new RegExp(`^${parts.join('(.+)')}$`, 's')
    return title => pattern.exec(title)?.slice(1).every(isKnownValue) ?? false
  })
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Reads the titles of every test file. The keys are paths without `.test.ts`, below test/ or, for those of the
 * client, `client/test/…`.
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
      titles.set(prefix + name.slice(0, -'.test.ts'.length), findTitles(text))
    }
  }
  return titles
}

/** Lists why a row is not proved: what the document lacks, missing tests, or no tests at all. */
export function gapsOf(row: Row, document: Document, titles: Map<string, HasTitle[]>): string[] {
  const missing = row.proofs.filter(proof => {
    const { file, title } = proofOf(proof)
    return !titles.get(file)?.some(has => has(title))
  })
  const gaps = [
    ...(row.lacks?.(document) ?? []),
    ...missing.map(proof => `there is no test "${proofOf(proof).title}"`),
  ]
  return gaps.length === 0 && row.proofs.length === 0 && !row.isProvedByDocument
    ? ['no test proves it yet']
    : gaps
}

function proofOf(proof: string): { file: string; title: string } {
  const [, file = '', title = ''] = /^([\w/-]+): (.+)$/s.exec(proof) ?? []
  if (title === '') throw new Error(`"${proof}" is not a test: write \`file: title\`.`)
  return { file, title }
}

const escapeForTable = (text: string) => text.replaceAll('|', '\\|')

/** Formats the page. */
export function conformancePage(document: Document, titles = readTitles()): string {
  const evaluated = sections.map(section => evaluate(section, document, titles))
  const [rows, gaps] = [
    sum(evaluated.map(({ rows }) => rows.length)),
    sum(evaluated.map(section => section.gaps)),
  ]
  return [
    '# Conformance',
    '',
    'The requirements of the interface specification, row by row, with their proofs. `npm run conformance` generates this page, and a test fails if it',
    'is out of date. Fields, parameters, enumerations and statuses are compared with the API document, against which the tests validate every',
    'response. Every test that is named here exists. A requirement without a proof is a gap.',
    '',
    `**${rows} rows, ${rows - gaps} proved, ${gaps} gaps.**`,
    '',
    '| Section | Rows | Proved | Gaps |',
    '|---|---:|---:|---:|',
    ...evaluated.map(
      ({ title, rows, gaps }) =>
        `| [${title}](#${anchorOf(title)}) | ${rows.length} | ${rows.length - gaps} | ${gaps || ''} |`,
    ),
    ...evaluated.flatMap(({ title, rows }) => [
      '',
      `## ${title}`,
      '',
      '| Requirement | Proved by |',
      '|---|---|',
      ...rows,
    ]),
    '',
  ].join('\n')
}

function evaluate({ title, rows }: Section, document: Document, titles: Map<string, HasTitle[]>) {
  const evaluated = rows.map(row => ({ row, gaps: gapsOf(row, document, titles) }))
  return {
    title,
    rows: evaluated.map(
      ({ row, gaps }) =>
        `| ${escapeForTable(row.requirement)} | ${escapeForTable(gaps.length > 0 ? `**gap**: ${gaps.join('; ')}` : evidenceOf(row))} |`,
    ),
    gaps: evaluated.filter(({ gaps }) => gaps.length > 0).length,
  }
}

/** Returns the path of a test file relative to the page. */
const pathOf = (file: string): string => `../${file.startsWith('client/') ? '' : 'test/'}${file}.test.ts`

function evidenceOf(row: Row): string {
  const named = row.proofs.map(proofOf).map(({ file, title }) => `[${title}](${pathOf(file)})`)
  return [...(row.lacks === undefined ? [] : ['API document']), ...named].join('<br>')
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
