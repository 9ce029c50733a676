// Two common generators create clients from the API document, and the clients compile.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'waybill-generated-'))
after(() => rm(folder, { recursive: true, force: true }))

/** Runs a program in the project's folder. If it fails, the error has its output. */
const run = (program: string, options: string[], { nodeOptions = '' } = {}) =>
  promisify(execFile)(process.execPath, [join(root, program), ...options], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: nodeOptions },
  }).catch(({ stdout, stderr }) => assert.fail(`${program}: ${stdout}${stderr}`))

/** Compiles files of the folder as a program for Node.js or browsers. */
async function compile(...files: string[]): Promise<void> {
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom,dom.iterable',
  ]
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', '']
  const paths = files.map(file => join(folder, file))
  await run('node_modules/typescript/bin/tsc', [...options, ...modules, ...paths])
}

test('a client that @hey-api/openapi-ts generates compiles, with one function per operation', async () => {
  const output = join(folder, 'hey-api')
  await run(
    'node_modules/@hey-api/openapi-ts/dist/run.mjs',
    ['--input', './test/openapi.json', '--output', output, '--no-log-file'],
    { nodeOptions: `--import=${join(root, 'test/support/typescript-with-api.ts')}` },
  )
  const program = `import { importConsignment, listConsignments } from './hey-api/index.js'
const { data } = await listConsignments({ query: { Status: 1, PageSize: 10 } })
const numbers: string[] | undefined = data?.consignments.map(({ consignmentNumber }) => consignmentNumber)
export const made = await importConsignment({ body: { consignmentType: 2, clientCode: numbers?.[0] ?? '', products: [] } })
`
  await writeFile(join(folder, 'hey-api-program.ts'), program)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await compile('hey-api-program.ts')
})

test('types that openapi-typescript generates compile', async () => {
  const generator = 'client/node_modules/openapi-typescript/bin/cli.js'
  await run(generator, ['./test/openapi.json', '--output', join(folder, 'types.ts'), '--enum'])
  const program = `import { ConsignmentStatus, type paths } from './types.js'
type Page = paths['/v1/consignments']['get']['responses'][200]['content']['application/json']
export const isPending = (page: Page) => page.consignments.every(({ status }) => status === ConsignmentStatus.Pending)
`
  await writeFile(join(folder, 'program.ts'), program)
  await compile('program.ts')
})
