// A client or a carrier, `/partners/{id}`: who it is, its rules, and what is set up for it.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PartnerStatus, Relationship } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { entityTagOf, type Got, read, send } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { canOpen } from '../../frame/menu.ts'
import { Page } from '../../frame/Page.tsx'
import { hasScope, type Me, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useIds } from '../../router.tsx'
import { partnerWords as words } from '../../words/partners.ts'
import { stockRuleWords as rules } from '../../words/stock-rules.ts'
import { BillingRule } from './billing-rule.tsx'
import { CodeAliases } from './code-aliases.tsx'
import { Logo } from './logo.tsx'
import styles from './partner.module.css'
import { factFieldsOf, ruleFields, rulesOf } from './partner-fields.ts'
import { mayChangePartners } from './partners.tsx'
import { People } from './people.tsx'
import { RateCards } from './rate-cards.tsx'

const path = '/v1/partners/{partnerId}'

/** A partner as its record shows it. */
export type Partner = Got<typeof path>

async function changePartner({ id }: Partner, body: object, ifMatch?: string) {
  const answer = await send('put', path, { path: { partnerId: id }, body, ifMatch })
  await readAgain('/v1/partners', '/v1/products')
  return answer
}

export function Screen() {
  const { id: partnerId = '' } = useIds()
  const { data: partner } = useSuspenseQuery(read(path, { path: { partnerId } }))
  const me = useMe()
  const mayEdit = mayChangePartners(me)
  const isClient = partner.relationship === Relationship.Client
  const region = {
    ...{ record: partner, path, mayEdit, done: words.saved(partner.name) },
    save: (changes: object, ifMatch?: string) => changePartner(partner, changes, ifMatch),
  }
  return (
    <Page
      heading={partner.name}
      id={partnerId}
      status={words.statusName(partner.status)}
      above={
        <Link to="/partners" search={{ view: isClient ? undefined : 'carriers' } as never}>
          {words.partners}
        </Link>
      }
      beside={
        <>
          <span>{words.kind(partner.relationship)}</span>
          {!words.isActive(partner.status) && <Pill text={words.inactive} tone="waits" isRing />}
        </>
      }
      acts={<Acts partner={partner} mayEdit={mayEdit} />}
    >
      <EditableRegion
        heading={words.details}
        groups={[{ fields: factFieldsOf(partner.relationship) }]}
        isMain
        {...region}
      />
      {isClient && (
        <EditableRegion heading={rules.stockRules} groups={[{ fields: ruleFields }]} {...region}>
          <div className={styles.text}>
            {rules.sentences(rulesOf(partner)).map(sentence => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
        </EditableRegion>
      )}
      {isClient && <Units partner={partner} />}
      <SetUp partner={partner} me={me} isClient={isClient} />
    </Page>
  )
}

/** What is set up for a partner elsewhere, as far as the person may see it. */
const SetUp = ({ partner, me, isClient }: { partner: Partner; me: Me; isClient: boolean }) => (
  <>
    {hasScope(me, 'financial.read') && <BillingRule partnerId={partner.id} />}
    {hasScope(me, 'financial.read') && <RateCards partner={partner} />}
    {hasScope(me, 'organisation.read') && (
      <People partnerId={partner.id} isActive={words.isActive(partner.status)} />
    )}
    {isClient && <CodeAliases partnerId={partner.id} />}
    <Logo partner={partner} mayEdit={mayChangePartners(me)} />
  </>
)

const Units = ({ partner: { unitTypes } }: { partner: Partner }) => (
  <Region heading={words.units}>
    {unitTypes.length === 0 ? (
      <Nothing text={words.noUnits} />
    ) : (
      <p className={styles.text}>{unitTypes.map(({ name }) => name).join(', ')}</p>
    )}
  </Region>
)

function Acts({ partner, mayEdit }: { partner: Partner; mayEdit: boolean }) {
  const me = useMe()
  const [isAsking, setAsking] = useState(false)
  const setStatus = async (status: number) => {
    await changePartner(partner, { status }, entityTagOf(partner))
    notify({ text: words.saved(partner.name) })
  }
  const activate = () =>
    setStatus(PartnerStatus.Active).catch(error =>
      notify({ text: reasonsOf(error).join(' '), isAlert: true }),
    )
  const isClient = partner.relationship === Relationship.Client
  return (
    <>
      {canOpen(me, '/consignments') && (
        <Link
          className={styles.link ?? ''}
          to="/consignments"
          search={{ view: 'all', [isClient ? 'ClientId' : 'CarrierId']: partner.id } as never}
        >
          {words.consignments}
        </Link>
      )}
      {isClient && canOpen(me, '/products') && (
        <Link className={styles.link ?? ''} to="/products" search={{ PartnerId: partner.id } as never}>
          {words.products}
        </Link>
      )}
      {isClient && canOpen(me, '/inventory') && (
        <Link className={styles.link ?? ''} to="/inventory" search={{ PartnerId: partner.id } as never}>
          {words.stock}
        </Link>
      )}
      {mayEdit &&
        (words.isActive(partner.status) ? (
          <Button label={words.deactivate} onPress={() => setAsking(true)}>
            {words.deactivate}…
          </Button>
        ) : (
          <Button onPress={() => void activate()}>{words.activate}</Button>
        ))}
      {isAsking && (
        <Confirm
          act={words.deactivate}
          isAlert
          onClose={() => setAsking(false)}
          reasonsOf={reasonsOf}
          onConfirm={() => setStatus(PartnerStatus.Inactive)}
        >
          <p>{words.deactivateWhy(partner.name)}</p>
        </Confirm>
      )}
    </>
  )
}
