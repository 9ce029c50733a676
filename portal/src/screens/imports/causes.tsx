// Region Causes: what imports wait for, each cause once. A code that was meant to be another is replaced in
// all of them at once.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { Joined } from '../../../../ui/Joined.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Region, Rows } from '../../../../ui/Region.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { usePages } from '../../every-page.ts'
import { faultsOf } from '../../faults.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { hasScope, useMe } from '../../me.ts'
import { useClients } from '../../suggestions.ts'
import { importWords as words } from '../../words/imports.ts'
import { mayChangeProducts, NewProduct } from '../products/new-product.tsx'
import styles from './imports.module.css'
import { type Cause, reconcileAll, SettleButtons } from './reconcile.tsx'

/** The region. Absent while no import waits. */
export function Causes() {
  const pages = usePages('/v1/consignment-imports/causes', {}, { first: 20 })
  const [replacing, setReplacing] = useState<Cause>()
  const [missing, setMissing] = useState<Cause>()
  const me = useMe()
  const mayAct = hasScope(me, 'consignment')
  const mayCreate = mayChangeProducts(me)
  if (pages.rows === undefined || pages.total === 0) return null
  return (
    <div className={styles.causes}>
      <Region heading={words.causes} state="ready">
        <Rows>
          {pages.rows.map(cause => (
            <li key={keyOf(cause)} data-id={cause.code ?? cause.kind}>
              <span className={styles.message}>
                <Joined texts={[words.cause(cause.message), words.nImports(cause.n)]} />{' '}
                <span className={styles.quiet}>
                  {words.since} <UtcTime value={cause.oldestUtc} />
                </span>
              </span>
              {mayAct && (
                <span className={styles.acts}>
                  <SettleButtons cause={cause} />
                  {cause.code !== null && (
                    <Button kind="quiet" onPress={() => setReplacing(cause)}>
                      {words.replace}…
                    </Button>
                  )}
                  {mayCreate && cause.kind === 'product' && cause.code !== null && (
                    <Button kind="quiet" onPress={() => setMissing(cause)}>
                      {words.createProduct}…
                    </Button>
                  )}
                </span>
              )}
            </li>
          ))}
        </Rows>
        <ReadOn pages={pages} />
      </Region>
      {missing !== undefined && <CreateProduct cause={missing} onClose={() => setMissing(undefined)} />}
      {replacing !== undefined && <ReplaceDialog cause={replacing} onClose={() => setReplacing(undefined)} />}
    </div>
  )
}

const keyOf = ({ kind, code, clientCode, message }: Cause) => [kind, code, clientCode, message].join(' ')

/** Makes the product that the imports of a cause wait for. They are tried again by themselves. */
function CreateProduct({ cause: { code, clientCode }, onClose }: { cause: Cause; onClose: () => void }) {
  const client = useClients(useMe()).find(one => one.code === clientCode)
  return <NewProduct act={words.createProduct} clientId={client?.id} code={code ?? ''} onClose={onClose} />
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
