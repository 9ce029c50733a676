// Receiving at the desk, `/consignments/{id}/receive`: what came of each line, and what nobody announced.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Identifier } from '../../../../ui/Identifier.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { entityTagOf, read } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Page } from '../../frame/Page.tsx'
import { Link, useGo, useIds } from '../../router.tsx'
import { consignmentWords } from '../../words/consignments.ts'
import { dateWords, type GoodsDate, goodsDates } from '../../words/goods-dates.ts'
import { receiveWords as words } from '../../words/receive.ts'
import { type Arrival, arrivalsOf, receiptsOf, withPart } from './arrivals.ts'
import type { Consignment } from './consignment.tsx'
import { FindArrival } from './find-arrival.tsx'
import { Return } from './goods-dialogs.tsx'
import styles from './receive.module.css'
import { ArrivalRows } from './receive-rows.tsx'
import { Unannounced } from './unannounced.tsx'

export function Screen() {
  const { id: consignmentId = '' } = useIds()
  const { data: consignment } = useSuspenseQuery(
    read('/v1/consignments/{consignmentId}', { path: { consignmentId } }),
  )
  // Receiving some of it changes what is left of each line.
  return <Receive key={entityTagOf(consignment)} consignment={consignment} />
}

type Act = 'all' | 'some' | 'return'

function Receive({ consignment }: { consignment: Consignment }) {
  const { id, type, consignmentNumber } = consignment
  const go = useGo()
  const [arrivals, setArrivals] = useState(() => arrivalsOf(consignment))
  const [act, setAct] = useState<Act>()
  const receipts = receiptsOf(arrivals)
  // Goods that left may come back to the desk.
  const hasLeft =
    type === ConsignmentType.Outwards && consignment.products.some(line => line.dispatchedQuantity > 0)
  useKeys({
    ...(receipts.length > 0 ? { m: () => setAct('some') } : {}),
    ...(hasLeft ? { m: () => setAct('return') } : {}),
  })
  const record = `/consignments/${id}`
  return (
    <Page
      heading={words.receiveOf(consignmentNumber)}
      shownHeading={
        <>
          {words.receive} <Identifier value={consignmentNumber} />
        </>
      }
      id={id}
      above={<Link to={record}>{words.consignment}</Link>}
      acts={<Acts type={type} canReceive={receipts.length > 0} hasLeft={hasLeft} onAct={setAct} />}
    >
      {type === ConsignmentType.Inwards ? (
        <Lines consignment={consignment} arrivals={arrivals} onChange={setArrivals} />
      ) : (
        <p>{hasLeft ? words.comesBack : words.onlyInwards}</p>
      )}
      {act === 'return' && <Return consignment={consignment} onClose={() => setAct(undefined)} />}
      {(act === 'all' || act === 'some') && (
        <ReceiveDialog
          consignment={consignment}
          receipts={act === 'all' ? undefined : receipts}
          onClose={() => setAct(undefined)}
          onDone={() => go(record)}
        />
      )}
    </Page>
  )
}

/** What came of each line, and what finds or adds one. */
function Lines({
  consignment,
  arrivals,
  onChange,
}: {
  consignment: Consignment
  arrivals: readonly Arrival[]
  onChange: (arrivals: readonly Arrival[]) => void
}) {
  const [dates, setDates] = useState(() =>
    goodsDates.filter(name => name === 'expiryDate' || arrivals.some(arrival => arrival[name] !== '')),
  )
  const add = (arrival: Arrival) => onChange([...arrivals, arrival])
  return (
    <Region heading={words.lines} acts={<DatesMenu dates={dates} onChange={setDates} />}>
      <div className={styles.finding}>
        <FindArrival consignment={consignment} arrivals={arrivals} onAdd={add} />
        <Unannounced
          clientId={consignment.clientId}
          onChoose={add}
          taken={arrivals.map(({ productId }) => productId)}
        />
      </div>
      <ArrivalRows
        arrivals={arrivals}
        dates={dates}
        onChange={(key, part) =>
          onChange(arrivals.map(arrival => (arrival.key === key ? { ...arrival, ...part } : arrival)))
        }
        onPart={of => onChange(withPart(arrivals, of))}
      />
    </Region>
  )
}

/** Adds a column for another date that goods are told apart by. */
function DatesMenu({
  dates,
  onChange,
}: {
  dates: readonly GoodsDate[]
  onChange: (dates: GoodsDate[]) => void
}) {
  const more = goodsDates.filter(name => !dates.includes(name))
  if (more.length === 0) return null
  const act = (name: GoodsDate) => ({
    ...{ id: name, text: dateWords[name] },
    onAct: () => onChange(goodsDates.filter(one => one === name || dates.includes(one))),
  })
  return (
    <Menu label={words.moreDates} groups={[{ acts: more.map(act) }]}>
      <Button kind="quiet">{words.moreDates}</Button>
    </Menu>
  )
}

interface ActsProps {
  type: number
  canReceive: boolean
  hasLeft: boolean
  onAct: (act: Act) => void
}

function Acts({ type, canReceive, hasLeft, onAct }: ActsProps) {
  if (type === ConsignmentType.Inwards)
    return (
      <>
        <Button onPress={() => onAct('all')}>{words.allAsAnnounced}…</Button>
        <Button kind="main" hint="M" onPress={() => onAct('some')} isDisabled={!canReceive}>
          {words.receive}…
        </Button>
      </>
    )
  return (
    hasLeft && (
      <Button kind="main" hint="M" onPress={() => onAct('return')}>
        {consignmentWords.return}…
      </Button>
    )
  )
}

/** The dialog that receives these goods, or all as they were announced. */
const ReceiveDialog = ({
  consignment,
  receipts,
  onClose,
  onDone,
}: {
  consignment: Consignment
  receipts: ReturnType<typeof receiptsOf> | undefined
  onClose: () => void
  onDone: () => void
}) => (
  <ActDialog
    act={receipts === undefined ? words.allAsAnnounced : words.receive}
    method="post"
    path="/v1/consignments/{consignmentId}/receive"
    request={{
      path: { consignmentId: consignment.id },
      body: receipts === undefined ? { all: true } : { receipts },
      ifMatch: entityTagOf(consignment),
    }}
    done={words.receivedDone(consignment.consignmentNumber)}
    changes={['/v1/consignments', '/v1/inventory', '/v1/logistic-units']}
    onClose={onClose}
    onDone={onDone}
  />
)
