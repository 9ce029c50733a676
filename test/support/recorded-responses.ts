// Records requests and responses of the API in tests, for the examples in the API document: `npm run examples`.

import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { RecordedExample, RecordedExamples } from '../../src/platform/http/recorded-examples.ts'

// Longer ones are no examples.
const maxRequestLength = 10_000

/** A JSON response of an endpoint. */
export interface RecordedResponse {
  method: string
  path: string
  status: number
  body: unknown
  /** the body of the request, if it was accepted */
  request?: unknown
}

/**
 * Stores every JSON response of a server, and every accepted body, in the folder RECORD_RESPONSES, if that is
 * set.
 */
export function recordResponses(app: FastifyInstance): void {
  const folder = process.env.RECORD_RESPONSES
  if (folder === undefined) return
  const file = join(folder, `${process.pid}.jsonl`)
  app.addHook('onSend', async (request, reply, payload) => {
    const { url } = request.routeOptions
    // What a rehearsal answers is not what the endpoint answers.
    if (request.headers['waybill-rehearse'] !== undefined) return payload
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    const answer = { method: request.method, path: url, status: reply.statusCode }
    const { bodyText } = request
    const isKnown = reply.getHeader('ignored-fields') === undefined
    const sent =
      (answer.status < 300 || answer.status === 304) &&
      isKnown &&
      bodyText !== undefined &&
      bodyText.length < maxRequestLength
    const accepted = sent ? { request: JSON.parse(bodyText) } : {}
    if (url?.startsWith('/v1/') && isJson && typeof payload === 'string')
      appendFileSync(file, `${JSON.stringify({ ...answer, body: JSON.parse(payload), ...accepted })}\n`)
    else if (url?.startsWith('/v1/') && sent)
      appendFileSync(file, `${JSON.stringify({ ...answer, body: null, ...accepted })}\n`)
    return payload
  })
}

/** Reads the responses stored in a folder. */
export const readRecorded = (folder: string): RecordedResponse[] =>
  readdirSync(folder)
    .toSorted()
    .flatMap(name => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map(line => JSON.parse(line) as RecordedResponse)

const uuidForm = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const instantForm = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const localForm = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
const dateForm = /(?<=")\d{4}-\d\d-\d\d(?=")/g

/** Replaces matches consistently, in the order of their appearance or of the texts themselves. */
function replaceAll(
  text: string,
  form: RegExp,
  inOrder: boolean,
  replacement: (i: number) => string,
): string {
  const found = [...new Set(text.match(form) ?? [])]
  const places = new Map((inOrder ? found.toSorted() : found).map((match, i) => [match, replacement(i)]))
  return text.replace(form, match => places.get(match) as string)
}

const minutesAfter = (start: string) => (i: number) => new Date(Date.parse(start) + i * 60_000).toISOString()
const daysAfter = (start: string) => (i: number) =>
  new Date(Date.parse(start) + i * 86_400_000).toISOString().slice(0, 10)

/** Shortens lists to two entries, and removes secrets, addresses of this machine and durations. */
function tidy(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(entry => tidy(entry))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, tidy(field, key)]))
  }
  if (typeof value === 'number' && name.endsWith('Ms')) return 42
  if (typeof value !== 'string') return value
  if (/secret|password|signingKey/i.test(name)) return 'shown-this-once'
  if (/^(x-service|webhook)-(signature|timestamp)/.test(name)) return 'differs-each-time'
  if (name.endsWith('Sha256')) return 'sixty-four-hexadecimal-digits'
  return value
    .replace(/https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?/g, 'https://example.com')
    .replace(/\b127\.0\.0\.1\b/g, '203.0.113.7')
    .replace(new RegExp(`${uuidForm.source}@`, 'g'), 'ada@')
}

/** Makes a response independent of the test run, with stable ids and times. */
export function stabilise(body: unknown): unknown {
  let text = JSON.stringify(tidy(body))
  text = replaceAll(text, uuidForm, false, i => `0197e1c6-5a5e-7c1e-9d3a-${String(i + 1).padStart(12, '0')}`)
  text = replaceAll(text, instantForm, true, minutesAfter('2026-03-02T01:20:00Z'))
  text = replaceAll(text, localForm, true, i => minutesAfter('2026-03-02T14:20:00Z')(i).replace('.000', ''))
  text = replaceAll(text, dateForm, true, daysAfter('2026-03-02'))
  return JSON.parse(text)
}

/** Scores how informative a response is: values add to it; nulls, empty lists and strange texts subtract. */
function richness(value: unknown): number {
  if (value === null) return -1
  if (Array.isArray(value)) return value.length === 0 ? -2 : sum(value.map(richness)) / value.length + 1
  if (typeof value === 'object') return sum(Object.values(value).map(richness))
  if (typeof value !== 'string') return 1
  return value.length > 120 || !/^[\x20-\x7e]*$/.test(value) ? -20 : 1
}
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

/** Scores how readable a refusal is: one short message of plain letters, not about a wrong id in a path. */
function readability(body: unknown): number {
  const { ErrorMessages: messages = [] } = body as { ErrorMessages?: string[] }
  const text = messages.join(' ')
  const strange = /^[\x20-\x7e]*$/.test(text) ? 0 : 500
  return -Math.abs(messages.length - 1) * 200 - text.length - strange - (/ a uuid/.test(text) ? 300 : 0)
}

/** Chooses the best body, independently of their order. */
function best(bodies: readonly unknown[], rank: (body: unknown) => number): unknown {
  const texts = [...new Set(bodies.map(body => JSON.stringify(body)))].toSorted()
  const ranked = texts.map(text => ({ body: JSON.parse(text) as unknown, rank: rank(JSON.parse(text)) }))
  return ranked.reduce((a, b) => (b.rank > a.rank ? b : a)).body
}

type Document = Record<string, unknown> & {
  paths: Record<
    string,
    Record<string, { requestBody?: unknown; responses: Record<string, { content?: unknown; $ref?: string }> }>
  >
}

/** Returns a function that says what is wrong with a response; undefined if it has no schema in the document. */
export function openResponseChecker(document: object) {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  const whole = JSON.parse(JSON.stringify(document)) as Document
  ajv.addSchema(whole, 'document')
  const schemaOf = ({ method, path, status }: RecordedResponse): string | undefined => {
    if (status >= 400) return 'document#/components/schemas/Error'
    const inDocument = path.replace(/:(\w+)/g, '{$1}')
    const response = whole.paths[inDocument]?.[method.toLowerCase()]?.responses[status]
    if (response?.content === undefined) return undefined
    const pointer = encodeURIComponent(inDocument.replaceAll('/', '~1'))
    const place = `document#/paths/${pointer}/${method.toLowerCase()}/responses/${status}`
    return `${place}/content/application~1json/schema`
  }
  return (answer: RecordedResponse): string | undefined => {
    const at = schemaOf(answer)
    const check = at === undefined ? undefined : ajv.getSchema(at)
    if (check === undefined) return undefined
    return check(answer.body) ? '' : ajv.errorsText(check.errors)
  }
}

/** Returns a function that says whether the document allows a request; false if the endpoint has no body. */
function openRequestChecker(document: object) {
  const ajv = new Ajv({ strict: false, logger: false })
  addFormats.default(ajv)
  const whole = JSON.parse(JSON.stringify(document)) as Document
  ajv.addSchema(whole, 'document')
  return (method: string, path: string, body: unknown): boolean => {
    const pointer = encodeURIComponent(path.replaceAll('/', '~1'))
    const place = `document#/paths/${pointer}/${method.toLowerCase()}/requestBody/content/application~1json/schema`
    const hasBody = whole.paths[path]?.[method.toLowerCase()]?.requestBody !== undefined
    return hasBody && ajv.getSchema(place)?.(body) === true
  }
}

/** The statuses whose refusals are the same for all endpoints. */
const sharedStatuses = [401, 405, 413, 415, 429, 503]

/**
 * Chooses the best request, response and refusals of each endpoint that fit a document. What `earlier` has is
 * kept where nothing was recorded.
 */
export function chooseExamples(
  recorded: readonly RecordedResponse[],
  document: object,
  earlier: RecordedExamples = { shared: {}, endpoints: {} },
): RecordedExamples {
  const check = openResponseChecker(document)
  const fits = openRequestChecker(document)
  const candidates = new Map<string, unknown[]>()
  const add = (name: string, body: unknown) => {
    const known = candidates.get(name)
    if (known === undefined) candidates.set(name, [body])
    else known.push(body)
  }
  for (const { request, ...answer } of recorded) {
    const { method, status } = answer
    const path = answer.path.replace(/:(\w+)/g, '{$1}')
    if (request !== undefined) {
      const body = stabilise(request)
      if (fits(method, path, body)) add(`${method} ${path} request`, body)
    }
    const body = stabilise(answer.body)
    const name = sharedStatuses.includes(status) ? `any any ${status}` : `${method} ${path} ${status}`
    if (status !== 500 && body !== null && check({ ...answer, body }) === '') {
      add(name, body)
      // Of those that other endpoints refuse with the same status, one stands for all without their own.
      if (status >= 400) add(`any any ${status}`, body)
    }
  }
  const shared: Record<string, unknown> = { ...earlier.shared }
  const endpoints: Record<string, RecordedExample> = { ...earlier.endpoints }
  for (const [name, bodies] of [...candidates].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [method, path, part = ''] = name.split(' ')
    const known = endpoints[`${method} ${path}`]
    if (method === 'any') shared[part] = best(bodies, readability)
    else if (part === 'request')
      endpoints[`${method} ${path}`] = { ...known, request: best(bodies, richness) }
    else if (Number(part) < 400) endpoints[`${method} ${path}`] = { ...known, answer: best(bodies, richness) }
    else {
      const refusals = { ...known?.refusals, [part]: best(bodies, readability) }
      endpoints[`${method} ${path}`] = { ...known, refusals }
    }
  }
  return { shared, endpoints: Object.fromEntries(Object.entries(endpoints).toSorted(byName)) }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
