// Region Causes: what imports wait for, each cause once. A code that was meant to be another is replaced in
// all of them at once.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Region, Rows } from '../../../../ui/Region.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { type RowOf, read, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { importWords as words } from '../../words/imports.ts'
import styles from './imports.module.css'

type Cause = RowOf<'/v1/consignment-imports/causes'>

/** The region. Absent while no import waits. */
export function Causes() {
  const { data } = useQuery(read('/v1/consignment-imports/causes', { query: { PageSize: 20 } }))
  const [replacing, setReplacing] = useState<Cause>()
  const mayAct = hasScope(useMe(), 'consignment')
  if (data === undefined || data.total === 0) return null
  return (
    <div className={styles.causes}>
      <Region heading={words.causes} state="ready">
        <Rows>
          {data.causes.map(cause => (
            <li key={keyOf(cause)} data-id={cause.code ?? cause.kind}>
              <span className={styles.message}>
                {words.cause(cause.message, cause.n)}{' '}
                <span className={styles.quiet}>
                  {words.since} <UtcTime value={cause.oldestUtc} />
                </span>
              </span>
              {mayAct && (
                <span className={styles.acts}>
                  <CauseActs cause={cause} onReplace={() => setReplacing(cause)} />
                </span>
              )}
            </li>
          ))}
        </Rows>
      </Region>
      {replacing !== undefined && <ReplaceDialog cause={replacing} onClose={() => setReplacing(undefined)} />}
    </div>
  )
}

const keyOf = ({ kind, code, clientCode, message }: Cause) => [kind, code, clientCode, message].join(' ')

function CauseActs({ cause, onReplace }: { cause: Cause; onReplace: () => void }) {
  const [isPending, setPending] = useState(false)
  const nearest = cause.nearest[0]
  async function settle(replacement: string | null): Promise<void> {
    setPending(true)
    try {
      await reconcileAll(cause, replacement, false)
    } catch (error) {
      notify({ text: reasonsOf(error).join(' '), isAlert: true })
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      {nearest !== undefined && (
        <Button onPress={() => void settle(nearest.code)} isPending={isPending}>
          {words.replaceWith(nearest.code)}
        </Button>
      )}
      {cause.code !== null && (
        <Button kind="quiet" onPress={onReplace}>
          {words.replace}…
        </Button>
      )}
      <Button kind="quiet" onPress={() => void settle(null)} isPending={isPending}>
        {words.tryAgain}
      </Button>
    </>
  )
}

/** Tries every import with this cause again, with another code if one is given, and says what came of it. */
async function reconcileAll(
  { kind, code, clientCode }: Cause,
  replacement: string | null,
  remember: boolean,
): Promise<void> {
  const { data } = await send('post', '/v1/consignment-imports/reconcile-many', {
    body: { kind, code, clientCode, replacement, remember },
  })
  await readAgain('/v1/consignment-imports', '/v1/consignments')
  const count = (result: number) => data.results.filter(one => one.result === result).length
  const reasons = [...new Set(data.results.flatMap(({ messages }) => messages))].slice(0, 3)
  notify({
    text: [words.settled(count(1), count(2), count(3), data.left), ...reasons].join('. '),
    isAlert: count(1) === 0 && reasons.length > 0,
  })
}

function ReplaceDialog({ cause, onClose }: { cause: Cause; onClose: () => void }) {
  const [replacement, setReplacement] = useState(cause.nearest[0]?.code ?? '')
  const [isRemembered, setRemembered] = useState(false)
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.replace}
      onClose={onClose}
      isDisabled={replacement.trim() === ''}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.at('replacement') === undefined ? found.all : []
      }}
      onConfirm={() => reconcileAll(cause, replacement.trim(), isRemembered)}
    >
      <TextField
        label={words.replacement}
        help={words.replacementHelp(cause.code ?? '')}
        value={replacement}
        onChange={setReplacement}
        isRequired
        fault={faults.at('replacement')}
      />
      <SwitchField
        label={words.remember}
        help={words.rememberHelp}
        isOn={isRemembered}
        onChange={setRemembered}
      />
    </Confirm>
  )
}
