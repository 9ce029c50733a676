// A server over real sockets whose endpoints need no database, and requests that no client would send.

import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { pino } from 'pino'
import { accessRules } from '../../src/access/access-rules.ts'
import type { Actor } from '../../src/access/actor.ts'
import { endpoint } from '../../src/access/endpoint.ts'
import { changed, created, done, file, json, statuses } from '../../src/platform/http/endpoint.ts'
import { conflict, unauthorised } from '../../src/platform/http/refusal.ts'
import { nullable, optional, Type, Uuid } from '../../src/platform/http/schema.ts'
import { openServer } from '../../src/platform/http/server.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { noDatabase } from './no-database.ts'
import { atEnd } from './test-database.ts'

/** The id of every record. */
export const id = '019a9d3e-7c7b-7d55-a1c5-0123456789ab'
const actor: Actor = {
  organisationId: 'o',
  connectionId: 'c',
  userId: 'u',
  clientId: 'a',
  partnerId: null,
  partnerKind: null,
  scopes: new Set(['partner.read', 'print']),
}

const Size = Type.Object({ size: Type.Integer(), note: optional(Type.String()) })
const Body = Type.Object({ content: Type.Optional(Type.String()) })
const sizeOf = (body: unknown) => ({ size: JSON.stringify(body).length })

const endpoints = [
  endpoint({
    get: '/v1/partners/:partnerId',
    name: 'operation4',
    partners: 'all',
    scope: 'partner.read',
    summary: 'Read',
    query: Type.Object({ N: Type.Optional(Type.Integer()) }),
    response: json(
      Type.Object({ id: Uuid, hidden: Type.Optional(Type.String()), note: nullable(Type.String()) }),
    ),
    handle: async ({ params }) => ({ id: params.partnerId, note: null, internal: 'secret' }),
  }),
  endpoint({
    post: '/v1/small',
    name: 'operation5',
    partners: 'all',
    scope: 'any',
    summary: 'Small',
    body: Body,
    response: json(Size),
    handle: async ({ body }) => sizeOf(body),
  }),
  endpoint({
    post: '/v1/files',
    name: 'operation6',
    partners: 'all',
    scope: 'any',
    summary: 'Files',
    files: true,
    body: Body,
    response: json(Size),
    handle: async ({ body }) => sizeOf(body),
  }),
  endpoint({
    post: '/v1/optional',
    name: 'operation7',
    partners: 'all',
    scope: 'any',
    summary: 'Optional',
    body: Body,
    bodyOptional: true,
    response: json(Size),
    handle: async ({ body }) => sizeOf(body),
  }),
  endpoint({
    put: '/v1/partners/:partnerId',
    name: 'operation8',
    partners: 'all',
    scope: 'partner',
    summary: 'Change',
    response: changed,
    handle: async () => true,
  }),
  endpoint({
    put: '/v1/same/:partnerId',
    name: 'operation9',
    partners: 'all',
    scope: 'any',
    summary: 'Change',
    response: changed,
    handle: async () => false,
  }),
  endpoint({
    delete: '/v1/partners/:partnerId',
    name: 'operation10',
    partners: 'all',
    scope: ['print', 'report'],
    summary: 'Delete',
    response: done,
    handle: async () => {},
  }),
  endpoint({
    post: '/v1/partners',
    name: 'operation11',
    partners: 'all',
    scope: 'any',
    summary: 'Create',
    response: created('partnerId', Type.Object({ partnerId: Uuid })),
    handle: async () => ({ partnerId: id }),
  }),
  endpoint({
    get: '/v1/exists',
    name: 'operation12',
    partners: 'all',
    scope: 'any',
    summary: 'Exists',
    response: statuses({ 200: 'No.', 201: 'Yes.' }),
    handle: async () => 201 as const,
  }),
  endpoint({
    get: '/v1/file',
    name: 'operation13',
    partners: 'all',
    scope: 'any',
    summary: 'File',
    response: file,
    handle: async () => ({
      fileName: 'Ärger\r\n"x".pdf',
      contentType: 'application/pdf',
      bytes: Buffer.from('%PDF'),
    }),
  }),
  endpoint({
    get: '/v1/defect',
    name: 'operation14',
    partners: 'all',
    scope: 'any',
    summary: 'Defect',
    response: done,
    handle: async () => {
      throw new Error('password=hunter2 in select * from secret_table')
    },
  }),
  endpoint({
    get: '/v1/conflict',
    name: 'operation15',
    partners: 'all',
    scope: 'any',
    summary: 'Conflict',
    response: done,
    refuses: [409],
    handle: async () => {
      throw conflict('Taken.')
    },
  }),
]

export interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Starts the server. */
export async function openTestServer() {
  const logged: string[] = []
  const metrics = createMetrics()
  const app = openServer({
    endpoints,
    database: noDatabase,
    metrics,
    log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    authenticate(authorization) {
      if (authorization !== 'Bearer good') throw unauthorised('The access token is missing or not valid.')
      return actor
    },
    access: accessRules,
    formats: {},
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  atEnd(() => app.close())
  const { port } = app.server.address() as AddressInfo

  /**
   * Sends a request over a new socket. A list of chunks is sent without a Content-Length.
   */
  function send(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: string | Buffer | Buffer[] } = {},
  ): Promise<Answered> {
    const headers = { authorization: 'Bearer good', ...options.headers }
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { port, host: '127.0.0.1', method, path, headers, agent: false },
        response => {
          const parts: Buffer[] = []
          response.on('data', part => parts.push(part))
          response.on('end', () =>
            resolve({
              status: response.statusCode as number,
              headers: response.headers,
              text: Buffer.concat(parts).toString(),
            }),
          )
          response.on('error', reject)
        },
      )
      request.on('error', reject)
      if (Array.isArray(options.body)) {
        for (const part of options.body) request.write(part)
        request.end()
      } else request.end(options.body)
    })
  }

  /** Writes raw bytes, and reads until the server closes or has sent one complete response. */
  function raw(bytes: string | Buffer): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(port, '127.0.0.1', () => socket.write(bytes))
      let text = ''
      const finish = () => {
        socket.destroy()
        const [head = '', ...rest] = text.split('\r\n\r\n')
        const [line = '', ...fields] = head.split('\r\n')
        const headers = Object.fromEntries(
          fields.map(field => [
            field.slice(0, field.indexOf(':')).toLowerCase(),
            field.slice(field.indexOf(':') + 1).trim(),
          ]),
        )
        resolve({ status: Number(line.split(' ')[1]), headers, text: rest.join('\r\n\r\n') })
      }
      socket.on('data', part => {
        text += part
        const length = /content-length: (\d+)/i.exec(text)?.[1]
        if (length !== undefined && text.length >= text.indexOf('\r\n\r\n') + 4 + Number(length)) finish()
      })
      socket.on('close', finish)
      socket.on('error', reject)
    })
  }

  return { app, port, logged, metrics, send, raw }
}

export const asJson = { 'content-type': 'application/json' }

/** Asserts that a response has the specified error body, this status and this type. */
export function assertError(
  { status, headers, text }: Answered,
  expected: number,
  type: string,
  message?: string | RegExp,
): void {
  assert.equal(status, expected, text)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  const body = JSON.parse(text)
  assert.deepEqual(Object.keys(body), ['ErrorType', 'ErrorMessages', 'ErrorDetails', 'RequestId'])
  assert.equal(body.RequestId, headers['x-request-id'])
  assert.deepEqual(
    body.ErrorDetails.map((detail: { message: string }) => detail.message),
    body.ErrorMessages,
  )
  assert.equal(body.ErrorType, type)
  for (const sentence of body.ErrorMessages) assert.match(sentence, /^[A-Za-z].*\.$/s)
  if (typeof message === 'string') assert.deepEqual(body.ErrorMessages, [message])
  else if (message !== undefined) assert.match(body.ErrorMessages.join(' '), message)
}
