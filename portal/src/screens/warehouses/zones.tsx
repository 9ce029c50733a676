// The zones of a warehouse.

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Schemas, WarehouseStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region, RowActs, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type RowOf, read, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { useRecord } from '../../frame/use-record.ts'
import { ActivePill } from '../../lists/warehouses.tsx'
import { regionStateOf } from '../../queries.ts'
import type { RecordField } from '../../record-fields.ts'
import type { Choice } from '../../suggestions.ts'
import { warehouseWords as words } from '../../words/warehouses.ts'
import { words as shared } from '../../words.ts'

type Zone = RowOf<'/v1/warehouses/{warehouseId}/zones'>

const zoneFields: readonly RecordField[] = [
  { path: 'name', label: words.name, isRequired: true, maxLength: 200 },
  { path: 'code', label: words.code, maxLength: 50 },
]

const statusField: RecordField = {
  path: 'status',
  label: words.headStatus,
  kind: 'number',
  options: Object.values(WarehouseStatus).map(value => ({ value: String(value), text: words.status(value) })),
}

function useZones(warehouseId: string) {
  return useQuery(readAll('/v1/warehouses/{warehouseId}/zones', { path: { warehouseId } }))
}

/** The zones that places can be in, as options by id. */
export function useZoneOptions(warehouseId: string): readonly Choice[] {
  const { data } = useZones(warehouseId)
  return useMemo(() => (data?.zones ?? []).map(({ id, name }) => ({ value: id, text: name })), [data])
}

export function Zones({ warehouseId, mayAct }: { warehouseId: string; mayAct: boolean }) {
  const [open, setOpen] = useState<Zone | 'new'>()
  const { data, isError } = useZones(warehouseId)
  const zones = data?.zones
  const close = () => setOpen(undefined)
  return (
    <Region
      heading={words.zones}
      state={regionStateOf(isError, zones)}
      acts={mayAct && <Button onPress={() => setOpen('new')}>{words.newZone}</Button>}
    >
      {zones === undefined || zones.length === 0 ? (
        <Nothing text={words.noZones} />
      ) : (
        <SmallTable
          label={words.zones}
          heads={[
            ...[words.name, words.code, words.headStatus].map(text => ({ text })),
            ...(mayAct ? [{ text: '', isAtEnd: true }] : []),
          ]}
          rows={zones.map(zone => ({
            id: zone.id,
            cells: [
              zone.name,
              zone.code ?? uiWords.nothing,
              <ActivePill key="status" status={zone.status} />,
              ...(mayAct
                ? [
                    <RowActs key="edit">
                      <Button kind="quiet" label={words.editOf(zone.name)} onPress={() => setOpen(zone)}>
                        {uiWords.edit}
                      </Button>
                    </RowActs>,
                  ]
                : []),
            ],
          }))}
        />
      )}
      {open === 'new' && <NewZone warehouseId={warehouseId} onClose={close} />}
      {open !== undefined && open !== 'new' && <EditZone zone={open} onClose={close} />}
    </Region>
  )
}

const NewZone = ({ warehouseId, onClose }: { warehouseId: string; onClose: () => void }) => (
  <RecordDialog
    act={words.newZone}
    groups={[{ fields: zoneFields }]}
    path="/v1/warehouses"
    save={async body => {
      await send('post', '/v1/warehouses/{warehouseId}/zones', {
        path: { warehouseId },
        body: body as Schemas['NewWarehouseZone'],
      })
    }}
    onClose={onClose}
  />
)

function EditZone({ zone: { warehouseId, id }, onClose }: { zone: Zone; onClose: () => void }) {
  const path = { warehouseId, warehouseZoneId: id }
  const zone = useRecord(read('/v1/warehouses/{warehouseId}/zones/{warehouseZoneId}', { path }), onClose)
  if (zone === undefined) return null
  return (
    <RecordDialog
      act={uiWords.save}
      title={words.editOf(zone.name)}
      groups={[{ fields: [...zoneFields, statusField] }]}
      record={zone}
      path="/v1/warehouses"
      save={async (body, ifMatch) => {
        const { hasChanged } = await send('put', '/v1/warehouses/{warehouseId}/zones/{warehouseZoneId}', {
          ...{ path, body: body as Schemas['WarehouseZoneChange'], ifMatch },
        })
        notify({ text: hasChanged ? words.changed(zone.name) : shared.unchanged })
      }}
      onClose={onClose}
    />
  )
}
