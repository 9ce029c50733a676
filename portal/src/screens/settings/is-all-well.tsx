// Whether all is well: what the service has to do by itself, and where it waits for a person.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ImportStatus, PrintJobStatus } from '../../../../client/src/waybill.ts'
import { Pill } from '../../../../ui/Pill.tsx'
import { Region, SmallTable } from '../../../../ui/Region.tsx'
import { read } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { canOpen } from '../../frame/menu.ts'
import { useMe } from '../../me.ts'
import { Link } from '../../router.tsx'
import { healthWords as words } from '../../words/health.ts'

const pollMs = 15_000
const oneRow = { PageSize: 1 } as const

/** A part of the service, and how it does. */
interface Part {
  name: string
  /** where a person sees to it */
  path: string
  detail: string | undefined
  /** how many things wait for a person */
  needs: number
  isUnused?: boolean
}

export function IsAllWell() {
  const parts = useParts()
  const isRead = parts.every(({ detail }) => detail !== undefined)
  const needy = parts.filter(({ needs }) => needs > 0).length
  return (
    <Region
      heading={words.allWell}
      state={isRead ? 'ready' : 'loading'}
      summary={isRead ? (needy === 0 ? words.allIsWell : words.someNeedYou(needy)) : undefined}
    >
      <SmallTable
        label={words.allWell}
        heads={[words.part, words.state, words.detail].map(text => ({ text }))}
        rows={parts.map(part => ({
          id: part.name,
          cells: [
            <PartLink key="name" part={part} />,
            <PartPill key="state" part={part} />,
            part.detail ?? '',
          ],
        }))}
      />
    </Region>
  )
}

function PartLink({ part: { name, path } }: { part: Part }): ReactNode {
  return canOpen(useMe(), path) ? <Link to={path}>{name}</Link> : name
}

const PartPill = ({ part: { detail, needs, isUnused } }: { part: Part }) => {
  if (detail === undefined) return null
  if (needs > 0) return <Pill text={words.needsYou} tone="alert" />
  return isUnused === true ? (
    <Pill text={words.notUsed} tone="waits" isRing />
  ) : (
    <Pill text={words.well} tone="done" />
  )
}

/** Asks again while the screen is shown. */
const again = { refetchInterval: pollMs } as const

function useParts(): readonly Part[] {
  const attention = useQuery({ ...read('/v1/attention'), ...again }).data?.items
  const handled = useQuery({
    ...read('/v1/consignment-imports', { query: { ...oneRow, Status: ImportStatus.Pending } }),
    ...again,
  }).data?.total
  const subscriptions = useQuery(read('/v1/webhook-subscriptions', { query: oneRow })).data?.total
  const bridges = useQuery({
    ...readAll('/v1/printer-bridges', { query: { Status: 1 } }),
    ...again,
  }).data?.printerBridges
  const queued = useQuery({
    ...read('/v1/print-jobs', { query: { ...oneRow, Status: PrintJobStatus.Pending } }),
    ...again,
  }).data?.total
  const n = (kind: string) => attention?.find(item => item.kind === kind)?.n ?? 0
  const say = (figure: unknown, text: () => string) =>
    attention === undefined || figure === undefined ? undefined : text()
  const silent = bridges?.filter(({ isOnline }) => !isOnline).map(({ name }) => name) ?? []
  return [
    {
      ...{ name: words.imports, path: '/imports', needs: n('importsWaiting') },
      detail: say(handled, () => words.importsAre(handled ?? 0, n('importsWaiting'))),
    },
    {
      ...{ name: words.webhooks, path: '/developers', needs: n('subscriptionsFailed') },
      detail: say(subscriptions, () => words.webhooksAre(subscriptions ?? 0, n('subscriptionsFailed'))),
      isUnused: subscriptions === 0,
    },
    {
      ...{ name: words.bridges, path: '/printing', needs: silent.length, isUnused: bridges?.length === 0 },
      detail: say(bridges, () => bridgesInWords(bridges?.length ?? 0, silent)),
    },
    {
      ...{ name: words.printQueue, path: '/printing', needs: n('printsInDoubt') },
      detail: say(queued, () => words.printsAre(queued ?? 0, n('printsInDoubt'))),
    },
    {
      ...{ name: words.printers, path: '/printing', needs: n('printersOffline') },
      detail: say(attention, () => words.printersAre(n('printersOffline'))),
    },
    {
      ...{ name: words.billing, path: '/billing', needs: n('billingRunsFailed') + n('schedulesDiffer') },
      detail: say(attention, () => words.billingIs(n('billingRunsFailed'), n('schedulesDiffer'))),
    },
  ]
}

const bridgesInWords = (all: number, silent: readonly string[]): string =>
  [words.bridgesAre(all, all - silent.length), ...(silent.length === 0 ? [] : [words.offline(silent)])].join(
    '; ',
  )
