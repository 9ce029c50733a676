// An endpoint whose requests make the lane's thread behave as the tests need, and the parts of both ends of
// the lane.

import { isMainThread } from 'node:worker_threads'
import { endpoint } from '../../src/access/endpoint.ts'
import { accepted, json } from '../../src/platform/http/endpoint.ts'
import { conflict } from '../../src/platform/http/refusal.ts'
import { Type } from '../../src/platform/http/schema.ts'
import { hint } from '../../src/platform/work/hints.ts'

const actions: Record<string, (gate: Int32Array, signal: AbortSignal) => unknown> = {
  answer: () => {},
  refuse: () => {
    throw conflict('The thing is there already.')
  },
  fail: () => {
    throw new Error('a defect')
  },
  hint: () => hint('things'),
  // A gate is open once it holds 1.
  wait: async gate => Atomics.waitAsync(gate, 0, 0).value,
  block: gate => Atomics.wait(gate, 0, 0),
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  await: (_gate, signal) =>
    new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(hint('left')))),
  exhaust: () => {
    const kept: string[][] = []
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => `${kept.length} ${i}`))
  },
  die: () => process.exit(1),
}

/** The endpoint. The body says what it does, and some actions wait for the gate. */
export const endpointsBehind = (gate: Int32Array) => [
  endpoint({
    post: '/v1/things/:thingId',
    name: 'doThing',
    partners: 'none',
    scope: 'any',
    summary: 'Do',
    files: true,
    query: Type.Object({ Page: Type.Optional(Type.Integer()) }),
    body: Type.Object({ does: Type.Enum(Object.keys(actions)), text: Type.Optional(Type.String()) }),
    response: accepted(
      Type.Object({ organisationId: Type.String(), requestId: Type.String(), length: Type.Integer() }),
    ),
    async handle({ actor, requestId, body, signal }) {
      hint(`began ${body.does}`)
      await actions[body.does]?.(gate, signal)
      return { organisationId: actor.organisationId, requestId, length: body.text?.length ?? 0 }
    },
  }),
  endpoint({
    post: '/v1/threads',
    name: 'nameThread',
    partners: 'none',
    scope: 'any',
    summary: 'Tell whether the thread for large requests responds',
    largeBodyBytes: 1_000,
    body: Type.Object({ isPassedOn: Type.Boolean(), text: Type.Optional(Type.String()) }),
    response: accepted(Type.Object({ isInThread: Type.Boolean(), text: Type.String() })),
    async handle({ body: { isPassedOn, text = '' }, passOn }) {
      if (isPassedOn) passOn?.()
      return { isInThread: !isMainThread, text }
    },
  }),
  endpoint({
    get: '/v1/threads',
    name: 'getThread',
    partners: 'none',
    scope: 'any',
    summary: 'Tell whether the thread for large requests responds',
    response: json(Type.Object({ isInThread: Type.Boolean() })),
    async handle({ passOn }) {
      passOn?.()
      return { isInThread: !isMainThread }
    },
  }),
]
