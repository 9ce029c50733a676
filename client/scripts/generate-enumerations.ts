// Writes the enumerations of the API document as objects with their values by name. With `--check`, it only
// checks that the file is up to date.

import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

interface Schema {
  enum?: number[]
  description?: string
  'x-enum-varnames'?: string[]
  'x-enum-descriptions'?: string[]
}

const path = (relative: string) => new URL(relative, import.meta.url)
const target = path('../src/generated/enumerations.ts')

/** Whether a sentence says more than the name does. */
const saysMore = (sentence: string, name: string) =>
  sentence.replace(/\W/g, '').toLowerCase() !== name.toLowerCase()

/** Formats an object with the values by name, and the type of its values. */
function formatDeclaration(name: string, schema: Schema): string {
  const names = schema['x-enum-varnames'] ?? []
  const meanings = schema['x-enum-descriptions'] ?? []
  const values = names.flatMap((value, i) => {
    const meaning = meanings[i] ?? ''
    const comment = saysMore(meaning, value) ? [`  /** ${meaning} */`] : []
    return [...comment, `  ${value}: ${schema.enum?.[i]},`]
  })
  return `/** ${schema.description?.split('\n')[0]} */
export const ${name} = {
${values.join('\n')}
} as const
export type ${name} = (typeof ${name})[keyof typeof ${name}]
`
}

const document = JSON.parse(readFileSync(path('../../test/openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, Schema> }
}
const declarations = Object.entries(document.components.schemas)
  .filter(([, schema]) => schema['x-enum-varnames'] !== undefined)
  .map(([name, schema]) => formatDeclaration(name, schema))
const text = ['// Generated from the API document by `npm run client`.\n', ...declarations].join('\n')

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/generated/enumerations.ts does not match the API document. Run `npm run client`.')
    process.exitCode = 1
  }
} else writeFileSync(target, text)
