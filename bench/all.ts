// Runs the benchmarks one after another and prints their results as one table.
//
//     npm run bench [-- <name> …]     for example: npm run bench -- imports mixed-load

import { fork } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Finding } from './figures.ts'

const benchmarks = [
  'imports',
  'consignments-page',
  'deep-pages',
  'search',
  'portal-reads',
  'consignment-by-id',
  'deliveries',
  'feed',
  'start',
  'mixed-load',
  'inventory-page',
  'as-of',
  'check-stock',
  'charges',
  'storage-run',
  'reserve-hot',
  'allocate-lines',
  'picks',
  'stock-door',
  'movements',
  'returns',
  'serials',
  'large-bodies',
  'documents',
  'labels',
  'printing',
  'reports',
  'back-test',
]
const requested = process.argv.slice(2)
const unknown = requested.filter(name => !benchmarks.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are ${benchmarks.join(', ')}.`)
  process.exit(1)
}

const findings: (Finding & { benchmark: string })[] = []
const failed: string[] = []
for (const benchmark of requested.length > 0 ? requested : benchmarks) {
  console.log(`\n== ${benchmark}`)
  const child = fork(fileURLToPath(new URL(`${benchmark}.ts`, import.meta.url)))
  child.on('message', finding => findings.push({ benchmark, ...(finding as Finding) }))
  const [code] = await once(child, 'exit')
  if (code !== 0) failed.push(benchmark)
}

console.log('')
console.table(findings.map(({ isMet, ...finding }) => ({ ...finding, '': isMet ? 'met' : 'missed' })))
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}.`)
  process.exit(1)
}
