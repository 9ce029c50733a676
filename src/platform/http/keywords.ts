// Keywords of schemas beyond those of JSON Schema.

import { _, type CodeKeywordDefinition, type FuncKeywordDefinition } from 'ajv'

/** The maximum number of decimal places. */
export const decimals: FuncKeywordDefinition = {
  keyword: 'decimals',
  type: 'number',
  schemaType: 'number',
  validate: (places: number, value: number) =>
    Number.isInteger(value) || Number(value.toFixed(places)) === value,
  error: { message: 'decimals' },
}

/** Converts a text to lower case, in the value that is checked. */
export const lowerCase: CodeKeywordDefinition = {
  keyword: 'lowerCase',
  type: 'string',
  schemaType: 'boolean',
  code({ gen, data, it: { parentData, parentDataProperty } }) {
    gen.assign(_`${parentData}[${parentDataProperty}]`, _`${data}.toLowerCase()`)
  },
}
