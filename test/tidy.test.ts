// House rules that a program can check. CONTRIBUTING.md has their reasons.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Texts of the files below a folder, by path. */
function textsOf(folder: string, ending: string): Map<string, string> {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const paths = names.filter(name => name.endsWith(ending)).map(name => join(folder, name))
  return new Map(paths.toSorted().map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

const src = new Map([...textsOf('src', '.ts')].filter(([path]) => !path.endsWith('.d.ts')))
const migrations = textsOf('migrations', '.sql')

/** The files with their lines that match, as `path:line`, save the exceptions. */
function linesWith(pattern: RegExp, exceptions: string[] = [], texts = src): string[] {
  return [...texts].flatMap(([path, text]) =>
    exceptions.includes(path) ? [] : text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}`] : [])),
  )
}

/** The files of the project that a file imports, with `import()` too. */
function importsOf(path: string): string[] {
  const found = (src.get(path) as string).matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)
  return [...found].map(([, target]) => join(dirname(path), target as string))
}

test('types are never talked away, and nothing is left to do', () => {
  assert.deepEqual(linesWith(/\bas any\b|: any(?= *[;,)=\]|[]|$)|<any\b|as unknown as|@ts-ignore|@ts-expect-error|@ts-nocheck/), [])
  assert.deepEqual(linesWith(/\b(TODO|FIXME|XXX|HACK)\b/), [])
  assert.deepEqual(linesWith(/biome-ignore/), [])
})

test('only config.ts reads the environment', () => {
  // main.ts asks for the log level when it is the settings themselves that are wrong.
  assert.deepEqual(linesWith(/\bprocess\.env\b|\benv\b.*from 'node:process'/, ['src/process/config.ts', 'src/main.ts']), [])
  assert.deepEqual(linesWith(/loadEnvFile/, ['src/main.ts']), [])
})

test('the platform knows nothing of the domain, and no code knows the tests', () => {
  for (const path of src.keys()) {
    for (const target of importsOf(path)) {
      assert.ok(src.has(target) || target === 'package.json', `${path} imports ${target}, which is not there.`)
      if (path.startsWith('src/platform/')) assert.ok(target.startsWith('src/platform/'), `${path} imports ${target}.`)
    }
  }
  assert.deepEqual(linesWith(/from '(\.\.\/)+(test|bench)\//), [])
})

test('every file can be reached from the command line', () => {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path) || !src.has(path)) return
    reached.add(path)
    for (const target of importsOf(path)) visit(target)
  }
  visit('src/main.ts')
  assert.deepEqual(
    [...src.keys()].filter(path => !reached.has(path)),
    [],
  )
})

test('only the guarded client talks to the outside', () => {
  // The demo is a caller of its own service.
  const guarded = ['src/platform/outgoing/outgoing-http.ts', 'src/platform/outgoing/outgoing-failure.ts', 'src/demo/demo.ts']
  assert.deepEqual(linesWith(/\bfetch\(|^import (?!type).* from '(undici|node:https?|node:http2)'/, guarded), [])
  const users = [...src.keys()].filter(
    path => importsOf(path).includes('src/platform/outgoing/outgoing-http.ts') && !path.startsWith('src/platform/'),
  )
  for (const path of users)
    assert.match(path, /^src\/(webhook-subscriptions|consignment-imports|demo)\/|^src\/(process\/service|workers)\.ts$/)
})

test('statements begin a transaction only in the endpoint machinery, the work loops and the command line', () => {
  const allowed =
    /^src\/(platform\/(http\/server|database\/db|work\/hints)|main|oauth\/|demo\/|workers|webhook-subscriptions\/|consignment-imports\/|consignments\/list\/fold-counts)/
  assert.deepEqual(
    linesWith(/\.(atomically|inOneStatement)\(/).filter(line => !allowed.test(line)),
    [],
  )
})

test('files are of a size to be read', () => {
  const long = [...src].map(([path, text]) => [path, text.split('\n').length] as const).filter(([, lines]) => lines > 350)
  assert.deepEqual(long, [])
})

test('every file says first what it is, and every function that others use says what it does', () => {
  const silent: string[] = []
  for (const [path, text] of src) {
    const [first = '', second = ''] = text.split('\n')
    assert.match(first.startsWith('#!') ? second : first, /^\/\/ \S.*[^,]$/, `${path} does not begin with a comment.`)
    const lines = text.split('\n')
    for (const [i, line] of lines.entries()) {
      const declared = /^export (?:async )?function (\w+)|^export const (\w+) = (?:async )?(?:<[^>]*>)?\([^)]*\)[^=]*=>/.exec(line)
      if (declared === null) continue
      const name = declared[1] ?? declared[2]
      // Further signatures of the same function follow the one with the comment.
      const isFurther = lines.slice(0, i).some(earlier => earlier.startsWith(`export function ${name}`))
      if (!isFurther && !lines[i - 1]?.endsWith('*/')) silent.push(`${path}:${i + 1} ${name}`)
    }
  }
  assert.deepEqual(silent, [])
})

test('migrations are numbered without a gap, and every constraint and index has a name', () => {
  const names = [...migrations.keys()].map(path => relative('migrations', path))
  assert.deepEqual(
    names.map(name => /^(\d{3})-[a-z]+(-[a-z]+)*\.sql$/.exec(name)?.[1]),
    names.map((_, i) => String(i + 1).padStart(3, '0')),
  )
  for (const [path, text] of migrations) {
    for (const [i, line] of text.split('\n').entries()) {
      const code = line.replace(/--.*/, '').replace(/'[^']*'/g, "''")
      const isUnnamed =
        (/\b(primary key|unique|foreign key|references|check)\b/i.test(code) &&
          !/\bconstraint\b|create unique index|on conflict|^\s*(references|check)/i.test(code)) ||
        /create (unique )?index on\b/i.test(code)
      assert.ok(!isUnnamed, `${path}:${i + 1}: ${line.trim()}`)
    }
  }
})
