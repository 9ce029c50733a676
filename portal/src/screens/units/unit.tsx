// A logistic unit, `/units/{id}`: where it is and what is on it.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { LocalDay } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { read, readFile, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { save } from '../../frame/export-rows.ts'
import { Page } from '../../frame/Page.tsx'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useIds } from '../../router.tsx'
import { usePlaces } from '../../suggestions.ts'
import { stockWords as words } from '../../words/stock.ts'
import { mayPrint } from '../consignments/print-dialog.tsx'
import { LabelDialog } from '../inventory/label-dialog.tsx'
import { mayChangeStock, stockPaths } from '../inventory/stock-acts.tsx'
import { About } from './about-unit.tsx'

export function Screen() {
  const { id: logisticUnitId = '' } = useIds()
  const me = useMe()
  const mayAct = mayChangeStock(me)
  const [shown, setShown] = useState<'move' | 'label'>()
  const { data: unit } = useSuspenseQuery(
    read('/v1/logistic-units/{logisticUnitId}', { path: { logisticUnitId } }),
  )
  const canMove = mayAct && !unit.isEmpty
  const close = () => setShown(undefined)
  const label = () => (mayPrint(me) ? setShown('label') : void downloadLabel(unit))
  useKeys({ p: label, ...(canMove ? { m: () => setShown('move') } : {}) })
  return (
    <Page
      heading={unit.logisticUnitNumber}
      id={logisticUnitId}
      above={<Link to="/units">{words.units}</Link>}
      beside={unit.isEmpty ? words.empty : undefined}
      acts={
        <>
          <Button hint="P" onPress={label}>
            {words.label}
          </Button>
          {canMove && (
            <Button kind="main" hint="M" onPress={() => setShown('move')}>
              {words.move}
            </Button>
          )}
        </>
      }
      details={<About unit={unit} mayChange={mayAct} />}
    >
      <Contents logisticUnitId={logisticUnitId} />
      {shown === 'move' && <MoveUnit id={logisticUnitId} warehouseId={unit.warehouseId} onClose={close} />}
      {shown === 'label' && (
        <LabelDialog
          act={words.label}
          print={printOption =>
            send('post', '/v1/logistic-units/{logisticUnitId}/label/print', {
              path: { logisticUnitId },
              body: { printOption },
            }).then(() => 1)
          }
          onDownload={() => void downloadLabel(unit)}
          onClose={close}
        />
      )}
    </Page>
  )
}

async function downloadLabel({ id, logisticUnitNumber }: { id: string; logisticUnitNumber: string }) {
  try {
    const { blob, name } = await readFile(`/v1/logistic-units/${id}/label`)
    save(blob, name ?? `${logisticUnitNumber}.pdf`)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

function Contents({ logisticUnitId }: { logisticUnitId: string }) {
  const query = { LogisticUnitId: logisticUnitId }
  const { data, isError } = useQuery(readAll('/v1/inventory', { query }))
  const rows = data?.inventory.flatMap(({ products }) => products) ?? []
  const state = regionStateOf(isError, data && rows)
  return (
    <Region heading={words.contents} state={state} summary={rows.length || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noContents} />
      ) : (
        <SmallTable
          label={words.contents}
          heads={[
            ...[words.product, words.batch, words.expiry].map(text => ({ text })),
            ...[words.onHand, words.available].map(text => ({ text, isAtEnd: true })),
          ]}
          rows={rows.map(row => ({
            id: row.warehouseProductId,
            cells: [
              <span key="product">
                <Link to={`/inventory/${row.warehouseProductId}`}>{row.partnerProductCode}</Link>{' '}
                {row.partnerProductName}
              </span>,
              row.batch ?? words.nothing,
              <LocalDay key="expiry" value={row.expiryDate} />,
              quantity(row.onHandQuantity),
              quantity(row.availableQuantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}

function MoveUnit({ id, warehouseId, onClose }: { id: string; warehouseId: string; onClose: () => void }) {
  const [place, setPlace] = useState('')
  const places = usePlaces(warehouseId, place)
  const toLocationName = place.trim()
  return (
    <ActDialog
      act={words.move}
      method="post"
      path="/v1/inventory/transfer"
      request={{ body: { transfers: [{ logisticUnitId: id, toLocationName }] } }}
      isComplete={toLocationName !== ''}
      done={words.moved(1, toLocationName)}
      changes={stockPaths}
      onClose={onClose}
    >
      {faults => (
        <SuggestField
          label={words.toPlace}
          value={place}
          onChange={setPlace}
          suggestions={places}
          fault={faults.at('transfers[0].toLocationName')}
          isRequired
          autoFocus
        />
      )}
    </ActDialog>
  )
}
