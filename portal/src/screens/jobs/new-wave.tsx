// A new wave, `/jobs/new?ids=`: orders that are picked together. Those that were selected in the list of
// consignments are in it already; others are added from the grid beside it.

import { useSuspenseQueries } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { JobStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { get, read, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { Page } from '../../frame/Page.tsx'
import { type Order, orderOfRecord, problemOf } from '../../new-wave.ts'
import { readAgain } from '../../queries.ts'
import { Link, useChangeSearch, useGo, useSearch } from '../../router.tsx'
import { togetherOf } from '../../together.ts'
import { jobWords as words } from '../../words/jobs.ts'
import type { Consignment } from '../consignments/consignment.tsx'
import styles from './new-wave.module.css'
import { Candidates, useCandidates } from './wave-candidates.tsx'
import { type Given, WaveFields, WaveOrders } from './wave-orders.tsx'

/** As many as a wave is made of at once; more can be added to it. */
const maxIds = 100

export function Screen() {
  const wave = useWave()
  const { orders, candidates, note, add, remove, keep } = wave
  const [given, setGiven] = useState<Given>({ style: '1', priority: '2', due: '', reference: '' })
  const { faults, isPending, create } = useCreation(orders, given)
  const first = orders[0]
  const problems = new Map(orders.map(order => [order.id, problemOf(order, first ?? order, faults.all)]))
  const isMixed = orders.some(order => problemOf(order, first ?? order, []) !== undefined)
  // What a row says is not said again above.
  const others = faults.all.filter(reason => ![...problems.values()].includes(reason))
  return (
    <Page heading={words.newWave} above={<Link to="/jobs">{words.jobs}</Link>} isFilled>
      <div className={styles.screen}>
        <Candidates candidates={candidates} onAdd={add} />
        <div className={styles.wave}>
          <form
            className={styles.form}
            onSubmit={event => {
              event.preventDefault()
              void create(false)
            }}
          >
            <Refusal reasons={others} />
            {isMixed && <Mixed orders={orders} onKeep={keep} />}
            <Region heading={words.wave}>
              <WaveFields given={given} faults={faults} onChange={part => setGiven({ ...given, ...part })} />
            </Region>
            <WaveOrders
              orders={orders}
              note={note}
              problemOf={({ id }) => problems.get(id)}
              onAdd={add}
              onRemove={remove}
            />
            <div className={styles.acts}>
              <Button kind="main" type="submit" isPending={isPending} isDisabled={!first || isMixed}>
                {words.createWave}
              </Button>
              <Button onPress={() => void create(true)} isPending={isPending} isDisabled={!first || isMixed}>
                {words.createAndStart}
              </Button>
            </div>
          </form>
        </div>
      </div>
    </Page>
  )
}

/** Says that the orders cannot all go together, and keeps those that can with one press. */
const Mixed = ({
  orders,
  onKeep,
}: {
  orders: readonly Order[]
  onKeep: (ids: readonly string[]) => void
}) => (
  <Refusal reasons={[words.severalClients]}>
    <div className={styles.acts}>
      {togetherOf(orders).map(({ clientName, warehouseName, ids }) => (
        <Button key={ids[0]} onPress={() => onKeep(ids)}>
          {words.keepOnly(clientName, warehouseName, ids.length)}
        </Button>
      ))}
    </div>
  </Refusal>
)

/** The orders of the wave, which the address names, and those that can be added. */
function useWave() {
  const search = useSearch()
  const named = [search.ids ?? []].flat().join(',')
  const ids = useMemo(() => [...new Set(named.split(',').filter(Boolean))].slice(0, maxIds), [named])
  const changeSearch = useChangeSearch()
  const known = useRef(new Map<string, Order>())
  const unknown = useRef<readonly string[]>(undefined)
  // Those that were in the address when the screen opened are read one by one; later ones are in the grid.
  unknown.current ??= ids
  const records = useSuspenseQueries({
    queries: unknown.current.map(consignmentId =>
      read('/v1/consignments/{consignmentId}', { path: { consignmentId } }),
    ),
  })
  for (const { data } of records) known.current.set(data.id, orderOfRecord(data))
  const candidates = useCandidates(known.current.get(ids[0] ?? ''), ids)
  for (const order of candidates.known) known.current.set(order.id, order)
  const change = (next: readonly string[]) => changeSearch({ ids: next.join(',') || undefined })
  return {
    orders: ids.flatMap(id => known.current.get(id) ?? []),
    candidates,
    note: ids.length < maxIds ? undefined : words.waveIsFull(maxIds, named.split(',').length - ids.length),
    add: (added: readonly string[]) => change([...new Set([...ids, ...added])].slice(0, maxIds)),
    remove: (id: string) => change(ids.filter(other => other !== id)),
    keep: change,
  }
}

/** What creates the wave, and the faults that the service found. */
function useCreation(orders: readonly Order[], given: Given) {
  const go = useGo()
  const [faults, setFaults] = useState(faultsOf(undefined))
  const [isPending, setPending] = useState(false)
  // A wave whose orders were refused is not made again.
  const made = useRef<string>(undefined)
  async function create(isStarted: boolean): Promise<void> {
    const [first] = orders
    if (first === undefined) return
    setPending(true)
    try {
      made.current ??= await createWave(first.id, given)
      const path = { jobId: made.current }
      await send('post', '/v1/jobs/{jobId}/wave-pick/consignments/add', {
        path,
        body: { consignmentIds: orders.map(({ id }) => id) },
      })
      if (isStarted)
        await send('put', '/v1/jobs/{jobId}/wave-pick/status', {
          path,
          body: { status: JobStatus.InProgress },
        })
      notify({ text: words.created(orders.length) })
      await readAgain('/v1/jobs', '/v1/consignments')
      go(`/jobs/${made.current}`)
    } catch (error) {
      setFaults(faultsOf(error))
    } finally {
      setPending(false)
    }
  }
  return { faults, isPending, create }
}

/** Makes an empty wave of the client and warehouse of an order. Returns its id. */
async function createWave(
  consignmentId: string,
  { style, priority, due, reference }: Given,
): Promise<string> {
  const path = '/v1/consignments/{consignmentId}'
  const { clientId, warehouseId } = await get<Consignment>(path, { path: { consignmentId } })
  const { data } = await send('post', '/v1/jobs/wave-pick', {
    body: {
      ...{ clientId, warehouseId: warehouseId ?? '' },
      style: Number(style) as 1,
      priority: Number(priority) as 2,
      dueDateTime: due === '' ? null : `${due}:00`,
      reference: reference.trim() || null,
    },
  })
  return data.jobId
}
