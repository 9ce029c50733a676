// Replenishment, `/replenishment`: pick faces below their target with the stock that could fill them, and
// what is wrong with pick faces.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PickfaceReplenishmentStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { Joined } from '../../../../ui/Joined.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, SmallTable } from '../../../../ui/Region.tsx'
import { read, send } from '../../api.ts'
import { Page } from '../../frame/Page.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { readAgain, regionStateOf } from '../../queries.ts'
import { useChangeSearch, useSearch } from '../../router.tsx'
import { warehouseOptions } from '../../suggestions.ts'
import { countWords as words } from '../../words/counts.ts'
import styles from '../inventory/stock.module.css'
import { LocationDialog } from '../warehouses/location-dialog.tsx'
import { MakeJob } from './make-job.tsx'

const reportOf = (
  path: '/v1/reports/pickface-replenishment' | '/v1/reports/pickface-exception',
  warehouseId: string,
) =>
  queryOptions({
    queryKey: [path, { warehouseId }],
    queryFn: async () => (await send('post', path, { body: { warehouseId } })).data as readonly object[],
    refetchInterval: 15_000,
  })

export function Screen() {
  const me = useMe()
  const change = useChangeSearch()
  const [isMaking, setMaking] = useState(false)
  const [edited, setEdited] = useState<string>()
  const search = useSearch()
  const warehouseId = [search.WarehouseId].flat()[0] ?? me.warehouses[0]?.id ?? ''
  const mayAct = hasScope(me, 'job') && kindOf(me) === 'staff'
  return (
    <Page
      heading={words.replenishment}
      acts={
        mayAct &&
        warehouseId !== '' && (
          <Button kind="main" onPress={() => setMaking(true)}>
            {words.makeJob}
          </Button>
        )
      }
    >
      {warehouseId === '' ? (
        <p className={styles.quiet}>{words.noWarehouseToFill}</p>
      ) : (
        <>
          <div className={styles.wideForm}>
            <SelectField
              label={words.warehouse}
              help={words.availableCounts}
              value={warehouseId}
              onChange={value => change({ WarehouseId: value })}
              options={warehouseOptions(me)}
            />
          </div>
          <PickFaces warehouseId={warehouseId} onEdit={setEdited} />
          <Exceptions warehouseId={warehouseId} onEdit={setEdited} />
        </>
      )}
      {edited !== undefined && (
        <EditFace
          warehouseId={warehouseId}
          name={edited}
          onClose={() => {
            setEdited(undefined)
            void readAgain('/v1/reports/pickface-replenishment', '/v1/reports/pickface-exception')
          }}
        />
      )}
      {isMaking && <MakeJob act={words.makeJob} warehouseId={warehouseId} onClose={() => setMaking(false)} />}
    </Page>
  )
}

interface PickFace {
  partnerProductCode: string
  partnerProductDescription: string
  locationName: string
  minQuantity: number | null
  targetQuantity: number | null
  onHandQuantity: number
  availableQuantity: number
  replenishmentStatus: number
  replenSuggestions: readonly { locationName: string; quantity: number }[]
}

interface FacesProps {
  warehouseId: string
  /** opens a pick face, by its name */
  onEdit: (name: string) => void
}

function PickFaces({ warehouseId, onEdit }: FacesProps) {
  const { data, isError } = useQuery(reportOf('/v1/reports/pickface-replenishment', warehouseId))
  const faces = (data as readonly PickFace[] | undefined)?.filter(
    ({ replenishmentStatus }) => replenishmentStatus !== PickfaceReplenishmentStatus.TargetReached,
  )
  return (
    <Region heading={words.pickFaces} state={regionStateOf(isError, faces)} summary={faces?.length}>
      {faces?.length === 0 ? (
        <Nothing text={words.noFaces} />
      ) : (
        <SmallTable
          label={words.pickFaces}
          heads={[
            ...[words.pickFace, words.product, words.headStatus].map(text => ({ text })),
            ...[words.available, words.onHand, words.minimum, words.target].map(text => ({
              text,
              isAtEnd: true,
            })),
            { text: words.sources },
          ]}
          rows={(faces ?? []).map(face => ({
            id: `${face.locationName} ${face.partnerProductCode}`,
            cells: [
              <Face key="face" name={face.locationName} onEdit={onEdit} />,
              <span key="product">
                {face.partnerProductCode}{' '}
                <span className={styles.quiet}>{face.partnerProductDescription}</span>
              </span>,
              <Pill
                key="status"
                text={words.faceStatus(face.replenishmentStatus)}
                tone={
                  face.replenishmentStatus === PickfaceReplenishmentStatus.BelowMin ? 'warehouse' : 'waits'
                }
              />,
              quantity(face.availableQuantity),
              quantity(face.onHandQuantity),
              face.minQuantity === null ? words.nothing : quantity(face.minQuantity),
              face.targetQuantity === null ? words.nothing : quantity(face.targetQuantity),
              face.replenSuggestions.length === 0 ? (
                words.nothing
              ) : (
                <span key="sources" className={styles.sources}>
                  <Joined
                    texts={face.replenSuggestions.map(one =>
                      words.source(one.locationName, quantity(one.quantity)),
                    )}
                  />
                </span>
              ),
            ],
          }))}
        />
      )}
    </Region>
  )
}

interface Exception {
  warehouseLocationId: string
  warehouseLocationName: string
  exceptionType: number
  partnerProductCode: string | null
  partnerProductName: string | null
  onHandQuantity: number
  availableQuantity: number
}

function Exceptions({ warehouseId, onEdit }: FacesProps) {
  const { data, isError } = useQuery(reportOf('/v1/reports/pickface-exception', warehouseId))
  const exceptions = data as readonly Exception[] | undefined
  return (
    <Region heading={words.exceptions} state={regionStateOf(isError, data)} summary={data?.length}>
      {data?.length === 0 ? (
        <Nothing text={words.noExceptions} />
      ) : (
        <SmallTable
          label={words.exceptions}
          heads={[
            ...[words.pickFace, words.exceptions, words.product].map(text => ({ text })),
            ...[words.available, words.onHand].map(text => ({ text, isAtEnd: true })),
          ]}
          rows={(exceptions ?? []).map(row => ({
            id: `${row.warehouseLocationId} ${row.exceptionType}`,
            cells: [
              <Face key="face" name={row.warehouseLocationName} onEdit={onEdit} />,
              words.exception(row.exceptionType),
              <span key="product">
                {row.partnerProductCode} <span className={styles.quiet}>{row.partnerProductName}</span>
              </span>,
              quantity(row.availableQuantity),
              quantity(row.onHandQuantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}

/** A pick face by its name. Who may change it edits its minimum and target here. */
function Face({ name, onEdit }: { name: string; onEdit: (name: string) => void }) {
  const mayEdit = hasScope(useMe(), 'warehouse')
  return mayEdit ? (
    <Button kind="quiet" label={words.editFace(name)} onPress={() => onEdit(name)}>
      {name}
    </Button>
  ) : (
    <b>{name}</b>
  )
}

function EditFace({
  warehouseId,
  name,
  onClose,
}: {
  warehouseId: string
  name: string
  onClose: () => void
}) {
  const { data } = useQuery(
    read('/v1/warehouses/{warehouseId}/locations', {
      path: { warehouseId },
      query: { SearchText: name, PageSize: 100 },
    }),
  )
  const face = data?.locations.find(location => location.name === name)
  if (face === undefined) return null
  return <LocationDialog warehouseId={warehouseId} warehouseLocationId={face.id} mayAct onClose={onClose} />
}
