// The printer bridges, and the command that starts a new one.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SetUpStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, RowActs, SmallTable } from '../../../../ui/Region.tsx'
import { type RowOf, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { faultsOf } from '../../faults.ts'
import { HistoryLink } from '../../frame/HistoryLink.tsx'
import { ShownOnce } from '../../frame/ShownOnce.tsx'
import { hasScope, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { warehouseOptions } from '../../suggestions.ts'
import { printingWords as words } from '../../words/printing.ts'
import { actAtOnce, readMs, readPrintingAgain } from './print-act.ts'

type Bridge = RowOf<'/v1/printer-bridges'>

type Act = { name: 'create' } | { name: 'rename' | 'deactivate'; bridge: Bridge }

export function Bridges() {
  const me = useMe()
  const mayChange = hasScope(me, 'warehouse')
  const mayCreate = mayChange && hasScope(me, 'organisation')
  const { data, isError } = useQuery({
    ...readAll('/v1/printer-bridges'),
    refetchInterval: readMs,
  })
  const [act, setAct] = useState<Act>()
  const [command, setCommand] = useState<string>()
  const state = regionStateOf(isError, data?.printerBridges)
  const close = () => setAct(undefined)
  return (
    <Region
      heading={words.bridges}
      state={state}
      acts={mayCreate && <Button onPress={() => setAct({ name: 'create' })}>{words.newBridge}</Button>}
    >
      {state === 'empty' ? (
        <Nothing text={words.noBridges} />
      ) : (
        <SmallTable
          label={words.bridges}
          heads={[
            ...[words.name, words.state, words.warehouse, words.lastSeen].map(text => ({ text })),
            { text: words.acts, isAtEnd: true },
          ]}
          rows={(data?.printerBridges ?? []).map(bridge => ({
            id: bridge.id,
            cells: [
              <b key="name">{bridge.name}</b>,
              <State key="state" bridge={bridge} />,
              me.warehouses.find(({ id }) => id === bridge.warehouseId)?.name ?? words.nothing,
              bridge.lastSeenUtc === null ? (
                words.neverSeen
              ) : (
                <UtcTime key="seen" value={bridge.lastSeenUtc} />
              ),
              mayChange && <Acts key="acts" bridge={bridge} onAct={setAct} />,
            ],
          }))}
        />
      )}
      {act?.name === 'create' && <NewBridge onClose={close} onCreated={setCommand} />}
      {act?.name === 'rename' && <Rename bridge={act.bridge} onClose={close} />}
      {act?.name === 'deactivate' && <Deactivate bridge={act.bridge} onClose={close} />}
      {command !== undefined && act === undefined && (
        <ShownOnce
          title={words.command}
          why={words.commandWhy}
          value={command}
          copy={words.copyCommand}
          isMultiline
          onDone={() => setCommand(undefined)}
        />
      )}
    </Region>
  )
}

const State = ({ bridge: { status, isOnline, version } }: { bridge: Bridge }) => (
  <>
    {status === SetUpStatus.Inactive ? (
      <Pill text={words.inactive} tone="waits" isRing />
    ) : (
      <Pill text={isOnline ? words.online : words.offline} tone={isOnline ? 'done' : 'alert'} />
    )}{' '}
    {version !== null && words.version(version)}
  </>
)

const change = (printerBridgeId: string, body: { name?: string; status?: SetUpStatus }) =>
  send('put', '/v1/printer-bridges/{printerBridgeId}', { path: { printerBridgeId }, body })

function Acts({ bridge, onAct }: { bridge: Bridge; onAct: (act: Act) => void }) {
  const { id, name, status } = bridge
  const activate = () =>
    actAtOnce(words.bridgeChanged(name), () => change(id, { status: SetUpStatus.Active }))
  const act = (text: string, onPress: () => void, dots = '…') => (
    <Button kind="quiet" label={words.of(text, name)} onPress={onPress}>
      {text}
      {dots}
    </Button>
  )
  return (
    <RowActs>
      <HistoryLink id={id} name={name} />
      {act(words.rename, () => onAct({ name: 'rename', bridge }))}
      {status === SetUpStatus.Active
        ? act(words.deactivate, () => onAct({ name: 'deactivate', bridge }))
        : act(words.activate, () => void activate(), '')}
    </RowActs>
  )
}

function NewBridge({ onClose, onCreated }: { onClose: () => void; onCreated: (command: string) => void }) {
  const me = useMe()
  const [name, setName] = useState('')
  const [warehouseId, setWarehouse] = useState(me.warehouses[0]?.id ?? '')
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.newBridge}
      onClose={onClose}
      isDisabled={name.trim() === '' || warehouseId === ''}
      onConfirm={async () => {
        const { data } = await send('post', '/v1/printer-bridges', { body: { name, warehouseId } })
        onCreated(words.commandOf(location.origin, data))
        await readPrintingAgain()
      }}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <TextField
        label={words.name}
        help={words.newBridgeHelp}
        value={name}
        onChange={setName}
        fault={faults.at('name')}
        maxLength={200}
        isRequired
      />
      <SelectField
        label={words.warehouse}
        value={warehouseId}
        onChange={setWarehouse}
        options={warehouseOptions(me)}
        fault={faults.at('warehouseId')}
      />
    </Confirm>
  )
}

function Rename({ bridge, onClose }: { bridge: Bridge; onClose: () => void }) {
  const [name, setName] = useState(bridge.name)
  return (
    <Confirm
      act={words.rename}
      onClose={onClose}
      isDisabled={name.trim() === ''}
      reasonsOf={reasonsOf}
      onConfirm={async () => {
        await change(bridge.id, { name: name.trim() })
        notify({ text: words.bridgeChanged(name.trim()) })
        await readPrintingAgain()
      }}
    >
      <TextField label={words.name} value={name} onChange={setName} maxLength={200} isRequired />
    </Confirm>
  )
}

const Deactivate = ({ bridge, onClose }: { bridge: Bridge; onClose: () => void }) => (
  <Confirm
    act={words.deactivate}
    isAlert
    reasonsOf={reasonsOf}
    onClose={onClose}
    onConfirm={async () => {
      await change(bridge.id, { status: SetUpStatus.Inactive })
      notify({ text: words.bridgeChanged(bridge.name) })
      await readPrintingAgain()
    }}
  >
    <p>{words.deactivateBridgeWhy(bridge.name)}</p>
  </Confirm>
)
