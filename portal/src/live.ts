// Keeps the screens up to date with what happens elsewhere. One tab of the browser follows the events of the
// organisation, and tells the others which paths to read again. When it closes, another one takes over.

import { WaybillError } from '../../client/src/waybill.ts'
import { api, get } from './api.ts'
import { readAgainQuietly } from './queries.ts'

/** What the tab that follows tells the others. */
type Message = { isLive: boolean } | { paths: readonly string[] } | 'is anybody live?'

const channel = new BroadcastChannel('waybill-live')
// Events that come together, as those of one act do, read a path again once.
const togetherMs = 100
const pauseMs = 10_000

const isLive = () => document.documentElement.dataset.live === 'on'

function showLive(on: boolean): void {
  document.documentElement.dataset.live = on ? 'on' : 'off'
}

let hasStarted = false

/** Starts, once for the life of the page. */
export function startLive(): void {
  if (hasStarted) return
  hasStarted = true
  showLive(false)
  let isFollowing = false
  channel.onmessage = ({ data }: { data: Message }) => {
    if (data === 'is anybody live?') {
      if (isFollowing) tell({ isLive: isLive() })
    } else if ('paths' in data) readTogether(data.paths)
    else showLive(data.isLive)
  }
  tell('is anybody live?')
  void navigator.locks.request('waybill-live', async () => {
    isFollowing = true
    while (await follow()) await new Promise(resolve => setTimeout(resolve, pauseMs))
  })
}

const tell = (message: Message) => channel.postMessage(message)

function become(on: boolean): void {
  showLive(on)
  tell({ isLive: on })
}

/** Follows the events from now on. Returns whether it is worth another attempt after a failure. */
async function follow(): Promise<boolean> {
  try {
    const { next } = await get<{ next: number }>('/v1/events', { query: { After: 'latest' } })
    become(true)
    for await (const { type } of api.follow({ after: next })) {
      const paths = [...pathsOf(type), '/v1/events']
      readTogether(paths)
      tell({ paths })
    }
    return true
  } catch (error) {
    become(false)
    return !(error instanceof WaybillError && error.status < 500 && error.status !== 429)
  }
}

/** The paths whose data an event of this type changes. */
export function pathsOf(type: string): readonly string[] {
  if (type.startsWith('consignment.import.')) return ['/v1/consignment-imports', '/v1/consignments']
  if (type.startsWith('consignment.')) return ['/v1/consignments', '/v1/inventory', '/v1/jobs']
  if (type.startsWith('job.')) return ['/v1/jobs', '/v1/inventory']
  return ['/v1/schedules', '/v1/schedule-transactions']
}

let waiting: Set<string> | undefined

function readTogether(paths: readonly string[]): void {
  if (waiting !== undefined) {
    for (const path of paths) waiting.add(path)
    return
  }
  waiting = new Set(paths)
  setTimeout(() => {
    const all = [...(waiting ?? [])]
    waiting = undefined
    void readAgainQuietly(...all)
  }, togetherMs)
}
