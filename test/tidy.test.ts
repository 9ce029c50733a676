// House rules that a program can check. CONTRIBUTING.md has their reasons.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '../src/access/endpoint.ts'
import { openOutgoingHttp } from '../src/platform/outgoing/outgoing-http.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Reads the files below a folder that have this ending, by path. */
function textsOf(folder: string, ending: string): Map<string, string> {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const paths = names.filter(name => name.endsWith(ending)).map(name => join(folder, name))
  return new Map(paths.toSorted().map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The files of the browser apps. */
const apps = new Map(
  ['ui', 'portal']
    .flatMap(folder => [...textsOf(folder, '.ts'), ...textsOf(folder, '.tsx')])
    .filter(([path]) => !/node_modules|\/dist\//.test(path)),
)
const src = new Map([...textsOf('src', '.ts')].filter(([path]) => !path.endsWith('.d.ts')))
const migrations = textsOf('migrations', '.sql')

/** The files of src/, the bridge, the client, the browser apps and the benchmarks, except generated ones. */
const everywhere = new Map(
  [
    ...src,
    ...['bridge/src', 'client/src', 'bench'].flatMap(folder => [...textsOf(folder, '.ts')]),
    ...apps,
  ].filter(([path]) => !path.startsWith('client/src/generated/')),
)
const tests = new Map([...textsOf('test', '.ts'), ...textsOf('client/test', '.ts')])

/** Lists the matching lines as `path:line`, except in the files that are exceptions. */
function linesWith(pattern: RegExp, exceptions: string[] = [], texts = src): string[] {
  return [...texts].flatMap(([path, text]) =>
    exceptions.includes(path)
      ? []
      : text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}`] : [])),
  )
}

/** Lists the project's files that a file imports, also with `import()`, or runs in a thread. */
function importsOf(path: string): string[] {
  const text = src.get(path) as string
  const imported = text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)
  const run = text.matchAll(/new URL\(\s*'(\.{1,2}\/[^']+\.ts)'/g)
  return [...imported, ...run].map(([, target]) => join(dirname(path), target as string))
}

test('no code bypasses the type checker, and none is marked as unfinished', () => {
  assert.deepEqual(
    linesWith(
      /\bas any\b|: any(?= *[;,)=\]|[]|$)|<any\b|as unknown as|@ts-ignore|@ts-expect-error|@ts-nocheck/,
      [],
      everywhere,
    ),
    [],
  )
  assert.deepEqual(linesWith(/\b(TODO|FIXME|XXX|HACK)\b/, [], everywhere), [])
  assert.deepEqual(linesWith(/biome-ignore/, [], everywhere), [])
})

test('constants are in camel case, and private members begin with #', () => {
  assert.deepEqual(linesWith(/\b(?:const|let|static|readonly) [A-Z][A-Z\d_]+ *[=:]/, [], everywhere), [])
  assert.deepEqual(linesWith(/^\s*(?:constructor\()?(?:private|protected)\b/, [], everywhere), [])
})

/** The numbers of the sections of a page in docs/, with those of the chapters that they are in. */
function sectionsOf(page: string): Set<string> {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const numbers = [...text.matchAll(/^## (\d+(?:\.\d+)?)/gm)].map(([, number]) => number as string)
  return new Set(numbers.flatMap(number => [number, number.split('.')[0] as string]))
}

test('every cited section of the specification and of the decisions exists', () => {
  const pages = { Spec: sectionsOf('conformance.md'), Decision: sectionsOf('decisions.md') }
  // A comment may break between the word and the number, and may name several: "Spec 5.1, 6.3".
  const numbers = String.raw`\d+(?:\.\d+)*(?:(?:,| and| or| to)\s+(?:(?:\/\/|--|\*)\s+)?\d+(?:\.\d+)*\b)*`
  const cited = new RegExp(String.raw`\b(Spec|Decision|decision)s?\s+(?:(?:\/\/|--|\*)\s+)?(${numbers})`, 'g')
  const missing = [...everywhere, ...tests, ...migrations, ...textsOf('docs', '.md')].flatMap(
    ([path, text]) =>
      [...text.matchAll(cited)].flatMap(([words, what, list = '']) => {
        const known = what === 'Spec' ? pages.Spec : pages.Decision
        const named = list.match(/\d+(?:\.\d+)*/g) ?? []
        return named.every(number => known.has(number)) ? [] : [`${path}: ${words}`]
      }),
  )
  assert.deepEqual(missing, [])
})

test('only config.ts reads the environment', () => {
  // main.ts reads the log level when the settings themselves are wrong.
  assert.deepEqual(
    linesWith(/\bprocess\.env\b|\benv\b.*from 'node:process'/, ['src/process/config.ts', 'src/main.ts']),
    [],
  )
  assert.deepEqual(linesWith(/parseEnv|loadEnvFile/, ['src/main.ts']), [])
})

/** The bridge command and the demo start the program in bridge/, which is a separate package. */
const mayImportBridge = (path: string, target: string) =>
  /^src\/(commands\/bridge|demo\/(printers|draw-zpl))\.ts$/.test(path) && target.startsWith('bridge/src/')

test('the platform does not depend on the domain, and no code depends on the tests', () => {
  for (const path of src.keys()) {
    for (const target of importsOf(path)) {
      assert.ok(
        src.has(target) || target === 'package.json' || mayImportBridge(path, target),
        `${path} imports ${target}, which does not exist.`,
      )
      if (path.startsWith('src/platform/'))
        assert.match(target, /^src\/platform\//, `${path} imports ${target}.`)
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

test('only the guarded client connects to other hosts', () => {
  // The demo calls its own service, and a developer who listens the addresses that they name themselves.
  const guarded = ['src/platform/outgoing/guarded-agent.ts', 'src/demo/demo.ts', 'src/listen/listen.ts']
  assert.deepEqual(
    linesWith(
      /\bfetch\(|^import (?!type|\{ IncomingMessage \}).* from '(undici|node:https?|node:http2)'/,
      guarded,
    ),
    [],
  )
  const users = [...src.keys()].filter(
    path =>
      importsOf(path).includes('src/platform/outgoing/outgoing-http.ts') && !path.startsWith('src/platform/'),
  )
  for (const path of users)
    assert.match(
      path,
      /^src\/(webhook-subscriptions|consignment-imports|demo)\/|^src\/(process\/(assemble|large-requests)|routes|workers)\.ts$/,
    )
})

test('native code works on files only in the renderer, which alone loads the modules that use it', () => {
  const native = /from '(sharp|@hyzyla\/pdfium|@myriaddreamin\/typst-ts-node-compiler|zpl-renderer-js)'/
  const inRenderer = new Set<string>(
    [...src].flatMap(([path, text]) => (native.test(text.replace(/^import type .*$/gm, '')) ? [path] : [])),
  )
  // Whoever imports such a module must be loaded by the renderer too. Types are erased.
  for (let size = 0; size < inRenderer.size; ) {
    size = inRenderer.size
    for (const [path, text] of src) {
      const imports = text
        .replace(/^import type [^;]*? from '[^']+'$/gms, '')
        .matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)
      for (const [, target = ''] of imports)
        if (inRenderer.has(join(dirname(path), target))) inRenderer.add(path)
    }
  }
  assert.deepEqual([...inRenderer].toSorted(), [
    'src/paper/attached-files/pdf-to-zpl.ts',
    'src/paper/attached-files/picture-page.ts',
    'src/paper/documents/typeset.ts',
    'src/paper/labels/draw-grey.ts',
    'src/paper/labels/draw-label.ts',
    'src/paper/labels/draw-lines.ts',
    'src/partners/draw-thumbnail.ts',
    'src/uploads/pictures.ts',
  ])
})

test('statements begin a transaction only in the endpoint machinery, the work loops and the command line', () => {
  const allowed = [
    ...['serve-endpoint', 'if-match', 'rehearsal'].map(name => `platform/http/${name}.`),
    ...[
      'access/with-author.',
      'platform/database/db.',
      'platform/database/open-database.',
      'platform/limits/delete-old-limits.',
    ],
    ...['hints', 'fold-counts', 'lease'].map(name => `platform/work/${name}.`),
    ...['back-test-worker', 'run-back-tests'].map(name => `billing/back-tests/${name}.`),
    ...['commands/administer.', 'workers.', 'process/issuer.', 'demo/', 'oauth/', 'users/set-password.'],
    ...['webhook-subscriptions/', 'consignment-imports/', 'events/feed/', 'billing/runs/'],
    ...['jobs/wave-pick/status.'],
    ...['ledger/nightly-check.', 'ledger/analyze-stock.', 'as-of/checkpoints.'].map(name => `stock/${name}`),
    ...['document-endpoints', 'labels/label-endpoints', 'documents/printers/test-page'].map(
      name => `paper/${name}.`,
    ),
    ...['paper/printers/bridges/', 'paper/print-jobs/', 'consignments/note-attachments.'],
    ...['billing/storage/bill-storage.', 'billing/proofs/prove-drafts.', 'bulk/bulk.'],
    ...['replay', 'delete-old-operations', 'door', 'carry-out'].map(name => `stock/commands/${name}.`),
  ].map(path => `src/${path}`)
  assert.deepEqual(
    linesWith(/\.(atomically|inOneStatement)\(/).filter(line => !allowed.some(path => line.startsWith(path))),
    [],
  )
})

test('the ledger alone writes stock', () => {
  const tables =
    'warehouse_product|warehouse_product_item|inventory_transaction|inventory_transaction_item|inventory_allocation'
  const writing = new RegExp(`\\b(insert into|update|delete from|merge into)\\s+(${tables})\\b`, 'i')
  const figures = /\b(allocated|picked|received|dispatched)_(quantity|weight_kg|volume_m3) = /
  const ofLedger = (path: string) => path.startsWith('src/stock/ledger/')
  const found = [...src].filter(
    ([path, text]) => !ofLedger(path) && (writing.test(text) || figures.test(text)),
  )
  assert.deepEqual(
    found.map(([path]) => path),
    [],
  )
})

test('the top level of src contains only the command line and the lists of routes and workers', () => {
  assert.deepEqual(
    [...src.keys()].filter(path => dirname(path) === 'src'),
    ['src/main.ts', 'src/routes.ts', 'src/workers.ts'],
  )
})

test('there are no circular imports, not even of types', () => {
  const circles: string[] = []
  const finished = new Set<string>()
  const visit = (path: string, above: string[]): void => {
    const at = above.indexOf(path)
    if (at >= 0) circles.push([...above.slice(at), path].join(' > '))
    if (at >= 0 || finished.has(path) || !src.has(path)) return
    for (const target of importsOf(path)) visit(target, [...above, path])
    finished.add(path)
  }
  for (const path of src.keys()) visit(path, [])
  assert.deepEqual(circles, [])
})

/** The rooms of src/, each below those that import it: imports run from the later to the earlier. */
const rooms = [
  ...['vocabulary', 'platform', 'access', 'rehearsal', 'uploads', 'webhook-subscriptions', 'events'],
  ...[
    'waiting-imports',
    'reference-data',
    'partners',
    'stock',
    'warehouses',
    'consignments',
    'consignment-imports',
    'floor',
  ],
  ...[
    'jobs',
    'billing',
    'consignment-status',
    'organisations',
    'oauth',
    'users',
    'me',
    'custom-apps',
    'paper',
    'attention',
    'dashboard',
    'search',
  ],
  ...['bulk', 'reports', 'api', 'portal', 'process', 'backup', 'doctor', 'demo', 'listen', 'commands'],
]

/** The arrows between rooms that run back up, with the reason. At most five. */
const arrowsBackUp: Record<string, string> = {
  'webhook-subscriptions events': 'replaying and recurrences raise events',
  'stock consignments': 'releasing a hold tells the consignments whose stock it takes',
  'jobs consignment-status': 'a wave makes its consignments ready',
  'billing consignment-status': 'a billing run closes what is Complete',
  'consignments paper': 'attachments of notes are printed',
}

/** The room of a file; the contents pages at the top are none. */
const roomOf = (path: string) => path.split('/').slice(1, -1)[0]

/** The arrows between rooms, as `from to`. */
function arrowsBetweenRooms(): Set<string> {
  const arrows = new Set<string>()
  for (const path of src.keys()) {
    const from = roomOf(path)
    for (const target of importsOf(path)) {
      const to = target.startsWith('src/') ? roomOf(target) : undefined
      if (from !== undefined && to !== undefined && from !== to) arrows.add(`${from} ${to}`)
    }
  }
  return arrows
}

test('imports between rooms run one way, but for a few stated arrows', () => {
  const found = new Set([...src.keys()].map(roomOf).filter(room => room !== undefined))
  assert.deepEqual([...found].toSorted(), rooms.toSorted())
  const backUp = [...arrowsBetweenRooms()].filter(arrow => {
    const [from = '', to = ''] = arrow.split(' ')
    return rooms.indexOf(from) < rooms.indexOf(to)
  })
  assert.deepEqual(backUp.toSorted(), Object.keys(arrowsBackUp).toSorted())
  assert.ok(backUp.length <= 5)
})

/** Pairs of folders below one room that may import each other, with the reason. */
const knownPairs: Record<string, string> = {}

test('no two folders of a room import each other, except a folder and one inside it', () => {
  const arrows = new Set<string>()
  for (const path of src.keys()) {
    for (const target of importsOf(path)) {
      if (roomOf(path) === roomOf(target)) arrows.add(`${dirname(path)} ${dirname(target)}`)
    }
  }
  const pairs = [...arrows].filter(arrow => {
    const [from = '', to = ''] = arrow.split(' ')
    const isInside = `${to}/`.startsWith(`${from}/`) || `${from}/`.startsWith(`${to}/`)
    return from < to && !isInside && arrows.has(`${to} ${from}`)
  })
  assert.deepEqual(pairs, Object.keys(knownPairs))
})

/** Rooms whose names follow their subject: the demo's data those of the lists that they fill, for example. */
const namedAfterOthers = /^src\/(?:demo|paper|reports)\//
/** The module of a renderer's task exports `make`; `Endpoint` in access is the one in platform with its access. */
const sharedNames = ['Endpoint', 'make']

test('an exported name means one thing', () => {
  const filesOf = new Map<string, Set<string>>()
  for (const [path, text] of src) {
    if (namedAfterOthers.test(path)) continue
    const exported = text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)
    for (const [, name = ''] of exported) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(path))
  }
  const repeated = [...filesOf].filter(([name, files]) => files.size > 1 && !sharedNames.includes(name))
  assert.deepEqual(
    repeated.map(([name, files]) => `${name}: ${[...files].join(' ')}`),
    [],
  )
})

test('the vocabulary imports nothing, and status rules import only the vocabulary', () => {
  for (const path of src.keys()) {
    if (path.startsWith('src/vocabulary/')) assert.deepEqual(importsOf(path), [], path)
    if (
      /-status\.ts$/.test(path) &&
      !/endpoint\(/.test(src.get(path) as string) &&
      /Pure\./.test(src.get(path) as string)
    ) {
      assert.ok(
        importsOf(path).every(target => target.startsWith('src/vocabulary/')),
        path,
      )
    }
  }
})

/** Reads the lists of endpoints in routes.ts, with the file of each and the path in its comment. */
async function readRouteLines(): Promise<{ file: string; stated: string; endpoints: readonly Endpoint[] }[]> {
  const text = src.get('src/routes.ts') as string
  const files = new Map(
    [...text.matchAll(/^import \{ (\w+) \} from '\.\/([^']+)'$/gm)].map(([, name, file]) => [name, file]),
  )
  const lines = [...text.matchAll(/^ {2}\.\.\.(\w+)(?:\(options\))?, \/\/ (\S+)$/gm)]
  return Promise.all(
    lines.map(async ([, name = '', stated = '']) => {
      const file = files.get(name) as string
      const exported = ((await import(`../src/${file}`)) as Record<string, unknown>)[name]
      const options = { secretBox: undefined, outgoing: openOutgoingHttp({ allowPrivate: false }) }
      return { file, stated, endpoints: typeof exported === 'function' ? exported(options) : exported }
    }),
  )
}

/** The literal segments of a path, without the version. */
const segmentsOf = (path: string) =>
  path.split('/').filter(part => part !== '' && part !== 'v1' && !part.startsWith(':'))

/** Returns the singular: `pod` for `pods`, `category` for `categories`. */
const toSingular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '')

const byImportRules = 'lines follow the rules of imports: consignment-imports/products.ts'

/** Endpoints whose file does not match their URL, with the reason. At most one in ten. */
const elsewhere: Record<string, string> = {
  'GET /v1/consignments/:consignmentId': 'the detail has a folder of its own: detail/consignment-detail.ts',
  'GET /v1/consignments/:consignmentId/check-exists': 'looks up imports: consignment-imports/check-exists.ts',
  'POST /v1/consignments/:consignmentId/products': byImportRules,
  'PUT /v1/consignments/:consignmentId/products/:consignmentProductId': byImportRules,
  'DELETE /v1/consignments/:consignmentId/products/:consignmentProductId': byImportRules,
  'PUT /v1/consignments/:consignmentId/notes/:consignmentNoteId/display-on-printout':
    'a field of the note: notes.ts',
  'GET /v1/consignments/:consignmentId/notes/:consignmentNoteId/attachments/:consignmentNoteAttachmentId/file':
    'an attachment is its file: note-attachments.ts',
  'GET /v1/consignments/:consignmentId/pods/:consignmentPodId/attachment-file': 'pods.ts',
  'GET /v1/products': 'products have a file for each client: partners/all-products.ts',
  'POST /v1/jobs/:jobId/wave-pick/consignments/add': 'wave-pick/consignments.ts',
  'POST /v1/jobs/:jobId/wave-pick/consignments/remove': 'wave-pick/consignments.ts',
  'POST /v1/schedules/:partnerScheduleId/transactions/add': 'schedules/transactions.ts',
  'POST /v1/schedules/:partnerScheduleId/transactions/remove': 'schedules/transactions.ts',
  'POST /v1/webhook-subscriptions/create': 'webhook-subscriptions.ts',
  'PUT /v1/webhook-subscriptions/:webhookSubscriptionId/test': 'webhook-subscriptions.ts',
  'PUT /v1/webhook-subscriptions/:webhookSubscriptionId/reactivate': 'webhook-subscriptions.ts',
  'DELETE /v1/webhook-subscriptions/:webhookSubscriptionId/delete': 'webhook-subscriptions.ts',
}

/** Folders that group several resources, and so do not appear in URLs. */
const groupFolders = [
  ...['billing', 'runs', 'storage', 'back-tests', 'stock', 'commands', 'counts', 'inventory', 'items'],
  ...['paper', 'documents', 'labels', 'printers', 'bridges', 'organisations', 'users', 'custom-apps'],
  ...['reference-data', 'consignment-status', 'bulk', 'floor', 'detail', 'list'],
]

test('a URL leads to a file named after its last one or two words, in a folder named after an earlier word', async () => {
  const lines = await readRouteLines()
  const strays: string[] = []
  for (const { file, endpoints } of lines) {
    const name = toSingular(file.split('/').at(-1)?.replace('.ts', '') ?? '')
    const folders = dirname(file)
      .split('/')
      .filter(folder => !groupFolders.includes(folder))
    for (const { method, path } of endpoints) {
      // An endpoint that prints a document is in the file of the document.
      const segments = segmentsOf(path.replace(/\/print$/, ''))
      // A report is one file with its name, and one line in all-reports.ts.
      if (segments[0] === 'reports' && src.has(`src/reports/${segments[1]}.ts`)) continue
      const last = toSingular(segments.at(-1) ?? '')
      const lastTwo = segments.slice(-2).map(toSingular).join('-')
      const isNamed = [last, lastTwo, segments.slice(-2).join('-')].some(
        word => toSingular(word) === name || word === name,
      )
      const isInFolder = folders.every(folder =>
        segments.some(segment => toSingular(segment) === toSingular(folder)),
      )
      if (!isNamed || !isInFolder) strays.push(`${method} ${path}`)
    }
  }
  const all = lines.flatMap(({ endpoints }) => endpoints)
  assert.deepEqual(strays.toSorted(), Object.keys(elsewhere).toSorted())
  assert.ok(strays.length * 10 <= all.length, `${strays.length} of ${all.length} endpoints are exceptions.`)
  assert.equal(all.length, new Set(all).size)
})

test('the comment of each line in routes.ts is the common beginning of its paths', async () => {
  for (const { file, stated, endpoints } of await readRouteLines()) {
    const paths = endpoints.map(({ path }) => path.split('/'))
    const common = paths.reduce((a, b) => a.slice(0, a.findIndex((part, i) => part !== b[i]) >>> 0))
    assert.equal(stated, common.join('/'), file)
  }
  const spread = [...(src.get('src/routes.ts') as string).matchAll(/^ {2}\.\.\./gm)]
  assert.equal(spread.length, (await readRouteLines()).length, 'Every line of routes.ts states its path.')
})

test('files, functions and lines do not exceed their maximum sizes', () => {
  const long = [...everywhere]
    .map(([path, text]) => [path, text.split('\n').length] as const)
    // The contents page of the API has two lines for each file.
    .filter(([path, lines]) => lines > 380 && path !== 'src/routes.ts')
  assert.deepEqual(long, [], 'files of more than 380 lines')
  assert.deepEqual(findLongFunctions(), [], 'functions of more than 60 lines')
  const wide = new RegExp(`^.{${maxColumns + 1},}$`, 'u')
  assert.deepEqual(
    linesWith(
      wide,
      [
        'src/oauth/sign-in-html.ts',
        'src/oauth/signed-in-html.ts',
        'src/routes.ts',
        'src/consignments/note-attachments.ts',
        // Of the apps, only the files of texts have sentences that are longer than a line.
        ...[...apps.keys()].filter(isOfWords),
      ],
      everywhere,
    ),
    [],
    `lines of more than ${maxColumns} columns`,
  )
  assert.deepEqual(linesWith(wide, [], migrations), [])
})

/** Whether a file holds texts of the browser apps. */
const isOfWords = (path: string) => /(^|\/)words(\.ts$|\/)/.test(path)

test('the colours of the browser apps are those of tokens.css', () => {
  const styles = new Map(
    ['ui', 'portal/src'].flatMap(folder => [...textsOf(folder, '.css'), ...textsOf(folder, '.tsx')]),
  )
  const raw =
    /#[0-9a-f]{3,8}\b(?!['"]\s*\))|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\(|:\s*(?:white|black|red)\b/i
  assert.deepEqual(linesWith(raw, ['ui/tokens.css'], styles), [])
})

test('the texts of the browser apps are in the files of words', () => {
  const text = />[^<>{}=;]*[A-Za-z]{2}[^<>{}=;]*<\/|^\s+[A-Z][a-z]+(?: [a-z]+)+[.?!]?$/
  const attribute = /\b(?:aria-label|label|title|placeholder|alt|description|heading)="[^"]*[A-Za-z]{2}/
  const markup = new Map([...apps].filter(([path]) => path.endsWith('.tsx')))
  assert.deepEqual(linesWith(text, [], markup), [])
  assert.deepEqual(linesWith(attribute, [], markup), [])
})

test('the browser apps send requests in api.ts, and make dates in time.ts', () => {
  const files = new Map([...apps].filter(([path]) => !/^portal\/(build\/|vite)/.test(path)))
  assert.deepEqual(
    linesWith(/\bfetch\(|XMLHttpRequest|EventSource|WebSocket/, ['portal/src/api.ts'], files),
    [],
  )
  assert.deepEqual(linesWith(/\bnew Date\(|\bDate\.now\(/, ['ui/time.ts'], files), [])
})

const maxColumns = 110
const maxLinesOfFunction = 60

/** Lists functions that are too long. Lists of endpoints do not count, but the handlers in them do. */
function findLongFunctions(): string[] {
  const found: string[] = []
  for (const [path, text] of everywhere) {
    const lines = text.split('\n')
    for (const [i, line] of lines.entries()) {
      const begins = /^( *)(?:(?!\/\/|\*).)*(?:\bfunction\b.*|=> |\w\).* |\)(?:: .*)? )\{$/.exec(line)
      if (begins === null || /^ *(?:if|for|while|switch|\} else|class|interface|type)\b/.test(line)) continue
      const indent = begins[1] as string
      const length =
        lines.slice(i).findIndex((later, n) => n > 0 && new RegExp(`^${indent}[}\\])]`).test(later)) + 1
      const isList = lines
        .slice(i, i + length)
        .some(inner => new RegExp(`^${indent}  (?:  )?(?:endpoint|stockCommand)\\(`).test(inner))
      if (length > maxLinesOfFunction && !isList) {
        found.push(`${path} ${length}`)
      }
    }
  }
  return found
}

test('every file begins with a comment', () => {
  for (const [path, text] of everywhere) {
    const [first = '', second = ''] = text.split('\n')
    assert.match(
      first.startsWith('#!') ? second : first,
      /^\/\/ \S/,
      `${path} does not begin with a comment.`,
    )
  }
})

test('each migration has a number of its own, and every constraint and index has a name', () => {
  const names = [...migrations.keys()].map(path => relative('migrations', path))
  const numbers = names.map(name => /^(\d{3})-[a-z]+(-[a-z]+)*(-needs-\d{3})?\.sql$/.exec(name)?.[1])
  assert.ok(!numbers.includes(undefined), `${names}`)
  assert.deepEqual(numbers, [...new Set(numbers)])
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

test('the notebook of twisted worlds knows nothing of the service', () => {
  const notebook = new Map([...tests].filter(([path]) => path.startsWith('test/worlds/notebook/')))
  assert.ok(notebook.size > 0)
  assert.deepEqual(linesWith(/\b(?:from|import)\s*\(?'(?!\.\/)/, [], notebook), [])
})
