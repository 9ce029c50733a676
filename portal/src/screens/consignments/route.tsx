// Region Route: where the goods come from and where they go.

import { ArrowIcon } from '../../../../ui/icons.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import styles from './consignment.module.css'
import type { Consignment } from './consignment.tsx'

export function Route({ consignment }: { consignment: Consignment }) {
  const { originAddress, destinationAddress } = consignment
  return (
    <Region heading={words.route}>
      <div className={styles.form}>
        <div className={styles.ends}>
          <End label={words.from} address={originAddress} place={consignment.warehouseName} />
          <ArrowIcon />
          <End label={words.to} address={destinationAddress} place={consignment.warehouseName} />
        </div>
      </div>
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
      <span className={styles.quiet}>{lines.filter(Boolean).join(', ')}</span>
    </div>
  )
}
