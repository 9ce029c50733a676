// The printers, with their state and why they are offline.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PrinterAvailability, SetUpStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, RowActs, SmallTable } from '../../../../ui/Region.tsx'
import { type RowOf, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { HistoryLink } from '../../frame/HistoryLink.tsx'
import { hasScope, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { printingWords as words } from '../../words/printing.ts'
import { actAtOnce, readMs } from './print-act.ts'
import { EditPrinter, NewPrinter } from './printer-dialogs.tsx'
import styles from './printing.module.css'

export type Printer = RowOf<'/v1/printers'>

const heads = [words.name, words.state, words.prints, words.warehouse].map(text => ({ text }))

/** The printers; nothing before they are read. */
export const usePrinterRows = () => useQuery({ ...readAll('/v1/printers'), refetchInterval: readMs })

export function Printers() {
  const me = useMe()
  const mayChange = hasScope(me, 'warehouse')
  const { data, isError } = usePrinterRows()
  const [edited, setEdited] = useState<Printer | 'new'>()
  const state = regionStateOf(isError, data?.printers)
  const close = () => setEdited(undefined)
  return (
    <Region
      heading={words.printers}
      state={state}
      summary={data?.total || undefined}
      acts={mayChange && <Button onPress={() => setEdited('new')}>{words.newPrinter}</Button>}
    >
      {state === 'empty' ? (
        <Nothing text={words.noPrinters} />
      ) : (
        <SmallTable
          label={words.printers}
          heads={[...heads, { text: words.acts, isAtEnd: true }]}
          rows={(data?.printers ?? []).map(printer => ({
            id: printer.id,
            cells: [
              <b key="name">{printer.name}</b>,
              <State key="state" printer={printer} />,
              factsOf(printer),
              me.warehouses.find(({ id }) => id === printer.warehouseId)?.name ?? words.nothing,
              <Acts key="acts" printer={printer} onEdit={mayChange ? () => setEdited(printer) : undefined} />,
            ],
          }))}
        />
      )}
      {edited === 'new' && <NewPrinter onClose={close} />}
      {edited !== undefined && edited !== 'new' && <EditPrinter printer={edited} onClose={close} />}
    </Region>
  )
}

const factsOf = ({ type, language, dotsPerMM, isDefault }: Printer) =>
  [
    words.type(type),
    words.language(language),
    dotsPerMM !== null && words.resolution(dotsPerMM),
    isDefault && words.isDefault.toLowerCase(),
  ]
    .filter(Boolean)
    .join(', ')

function State({ printer: { status, availability, reason } }: { printer: Printer }) {
  const isInactive = status === SetUpStatus.Inactive
  const isOnline = availability === PrinterAvailability.Online
  return (
    <>
      <Pill
        text={words.printerState(status, availability)}
        tone={isInactive ? 'waits' : isOnline ? 'done' : 'alert'}
        isRing={isInactive}
      />
      {!isInactive && reason !== null && <span className={styles.reason}>{words.reason(reason)}</span>}
    </>
  )
}

function Acts({ printer, onEdit }: { printer: Printer; onEdit: (() => void) | undefined }) {
  const { id: printerId, name, status } = printer
  const mayPrint = hasScope(useMe(), 'print') && status === SetUpStatus.Active
  const test = () =>
    actAtOnce(words.testSent(name), () =>
      send('post', '/v1/printers/{printerId}/test-page/print', { path: { printerId }, body: {} }),
    )
  return (
    <RowActs>
      <HistoryLink id={printerId} name={name} />
      {mayPrint && (
        <Button kind="quiet" label={words.of(words.testPage, name)} onPress={() => void test()}>
          {words.testPage}
        </Button>
      )}
      {onEdit !== undefined && (
        <Button kind="quiet" label={words.of(words.edit, name)} onPress={onEdit}>
          {words.edit}…
        </Button>
      )}
    </RowActs>
  )
}
