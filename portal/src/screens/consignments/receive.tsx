// Receiving at the desk, `/consignments/{id}/receive`: what came of each line, and what nobody announced.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Identifier } from '../../../../ui/Identifier.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Region } from '../../../../ui/Region.tsx'
import { entityTagOf, read } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Page } from '../../frame/Page.tsx'
import { Link, useGo, useIds } from '../../router.tsx'
import { receiveWords as words } from '../../words/receive.ts'
import { type Arrival, arrivalsOf, receiptsOf } from './arrivals.ts'
import type { Consignment } from './consignment.tsx'
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

function Receive({ consignment }: { consignment: Consignment }) {
  const { id, type, consignmentNumber, clientId } = consignment
  const go = useGo()
  const [arrivals, setArrivals] = useState(() => arrivalsOf(consignment))
  const [act, setAct] = useState<'all' | 'some'>()
  const change = (key: string, part: Partial<Arrival>) =>
    setArrivals(arrivals.map(arrival => (arrival.key === key ? { ...arrival, ...part } : arrival)))
  const receipts = receiptsOf(arrivals)
  useKeys(receipts.length > 0 ? { m: () => setAct('some') } : {})
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
      acts={
        type === ConsignmentType.Inwards && (
          <>
            <Button onPress={() => setAct('all')}>{words.allAsAnnounced}…</Button>
            <Button kind="main" hint="M" onPress={() => setAct('some')} isDisabled={receipts.length === 0}>
              {words.receive}…
            </Button>
          </>
        )
      }
    >
      {type === ConsignmentType.Inwards ? (
        <Region
          heading={words.lines}
          acts={
            <Unannounced
              clientId={clientId}
              onChoose={arrival => setArrivals([...arrivals, arrival])}
              taken={arrivals.map(({ productId }) => productId)}
            />
          }
        >
          <ArrivalRows arrivals={arrivals} onChange={change} />
        </Region>
      ) : (
        <p>{words.onlyInwards}</p>
      )}
      {act !== undefined && (
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
