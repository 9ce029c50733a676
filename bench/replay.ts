// The baseline of the mixed load: a bare Fastify route that runs the recorded statements of a request as
// prepared statements, in the same transactions, and returns their rows as JSON. It has no tokens, no
// validation and no schemas.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { deserialize } from 'node:v8'
import Fastify from 'fastify'
import pg from 'pg'
import { newId } from '../src/platform/new-id.ts'
import type { RecordedRequest } from './recording.ts'
import { announcePort } from './role.ts'

/** Creates a value of a statement, with new ids instead of those that the request created. */
type Value = (ids: readonly string[]) => unknown

const version7 = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
const millisecondsOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/**
 * Replaces the ids in a value that were created after `since`, because a second insert of them would be
 * refused.
 */
function withNewIds(value: unknown, since: number, known: Map<string, number>): Value {
  if (Array.isArray(value)) {
    const parts = value.map(part => withNewIds(part, since, known))
    return ids => parts.map(part => part(ids))
  }
  if (typeof value !== 'string') return () => value
  const fresh = [...value.matchAll(version7)].filter(([id]) => millisecondsOf(id) >= since)
  if (fresh.length === 0) return () => value
  let end = 0
  const parts = fresh.map(({ 0: id, index }) => {
    if (!known.has(id)) known.set(id, known.size)
    const before = value.slice(end, index)
    end = index + id.length
    return { before, slot: known.get(id) as number }
  })
  const rest = value.slice(end)
  return ids => {
    let text = ''
    for (const { before, slot } of parts) text += before + ids[slot]
    return text + rest
  }
}

/** The content of a file of recorded requests. */
export interface Recording {
  /** when the recording started, in milliseconds since 1970 */
  since: number
  requests: RecordedRequest[]
}

/** Serves `POST /run/:n` for the n-th recorded request. */
export async function serveReplay(connectionString: string, poolSize: number, file: string): Promise<void> {
  const { since, requests } = deserialize(await readFile(file)) as Recording
  const replays = requests.map(({ inTransaction, groups }) => {
    const known = new Map<string, number>()
    const prepared = groups.map(group =>
      group.map(({ text, values }) => ({
        text,
        name: createHash('sha256').update(text).digest('base64url').slice(0, 24),
        values: values.map(value => withNewIds(value, since, known)),
      })),
    )
    return { inTransaction, groups: prepared, newIds: known.size }
  })

  // Times stay text, which is cheapest.
  const types = new pg.TypeOverrides()
  for (const type of ['DATE', 'TIMESTAMP', 'TIMESTAMPTZ'] as const)
    types.setTypeParser(pg.types.builtins[type], text => text)
  const pool = new pg.Pool({
    connectionString,
    types,
    // As many connections as the service has in its two pools.
    max: 2 * poolSize,
    options: '-c timezone=UTC -c jit=off',
    pipeline: true,
  } as pg.PoolConfig)
  const app = Fastify({ bodyLimit: 40 * 1_048_576 })

  app.post<{ Params: { n: string } }>('/run/:n', async (request, reply) => {
    const replay = replays[Number(request.params.n)] as (typeof replays)[number]
    const ids = Array.from({ length: replay.newIds }, newId)
    const client = await pool.connect()
    let rows: unknown[] = []
    try {
      // Sent together with the first statement.
      const begun = replay.inTransaction ? client.query('begin') : undefined
      for (const group of replay.groups) {
        const results = await Promise.all(
          group.map(({ text, name, values }) =>
            client.query({ text, name, values: values.map(value => value(ids)) }),
          ),
        )
        rows = results.at(-1)?.rows ?? []
      }
      await begun
      if (replay.inTransaction) await client.query('commit')
    } catch (error) {
      if (replay.inTransaction) await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
    const [first] = rows as Record<string, unknown>[]
    const bytes = first === undefined ? undefined : Object.values(first).find(value => Buffer.isBuffer(value))
    return reply.send(bytes ?? rows)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  announcePort((app.server.address() as { port: number }).port)
}
