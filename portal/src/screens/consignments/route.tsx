// Region Route: where the goods come from and where they go.

import { ConsignmentType } from '../../../../client/src/waybill.ts'
import { ArrowIcon } from '../../../../ui/icons.tsx'
import { Joined } from '../../../../ui/Joined.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'
import { useEditing } from './edit-part.tsx'

export function Route({ consignment }: { consignment: Consignment }) {
  const { type, originAddress, destinationAddress, warehouseName, deliveryInstructions } = consignment
  // The end without an address is the warehouse, if goods leave or come to one.
  const from = type === ConsignmentType.Outwards ? warehouseName : null
  const to = type === ConsignmentType.Inwards ? warehouseName : null
  const { act, content } = useEditing(
    'route',
    consignment,
    words.editOf(words.route),
    <div className={styles.form}>
      <div className={styles.ends}>
        <End label={words.from} address={originAddress} place={from} />
        <ArrowIcon />
        <End label={words.to} address={destinationAddress} place={to} />
      </div>
      {/* Whoever stands at the door reads it beside the address. */}
      {deliveryInstructions !== null && (
        <div className={styles.changes}>
          <span className={styles.quiet}>{words.deliveryInstructions}</span>
          <p>{deliveryInstructions}</p>
        </div>
      )}
    </div>,
  )
  return (
    <Region heading={words.route} acts={act}>
      {content}
    </Region>
  )
}

type Address = Consignment['originAddress']

function End({ label, address, place }: { label: string; address: Address; place: string | null }) {
  const lines = [address?.streetAddress, address?.suburb, address?.city, address?.postCode, address?.country]
  return (
    <div>
      <span className={styles.quiet}>{label}</span>
      <b>{address?.name ?? place ?? words.nothing}</b>
      <span className={styles.quiet}>
        <Joined texts={lines} />
      </span>
    </div>
  )
}
