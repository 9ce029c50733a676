// The start screen, `/`: what there is to do today, what came and left, and what needs somebody.

import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/Button.tsx'
import { DownIcon } from '../../../../ui/icons.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { dayInFull, todayIn } from '../../../../ui/time.ts'
import { read } from '../../api.ts'
import { Page } from '../../frame/Page.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { Link, useChangeSearch, useGo, useSearch } from '../../router.tsx'
import { consignmentWords } from '../../words/consignments.ts'
import { homeWords as words } from '../../words/home.ts'
import { LastBill, NearExpiry, OpenOrders, Stock } from './client-home.tsx'
import styles from './home.module.css'
import { InAndOut } from './in-and-out.tsx'
import { MyRun } from './my-run.tsx'
import { NeedsYou } from './needs-you.tsx'
import { Space, Today, Waves } from './today.tsx'

export function Screen() {
  const me = useMe()
  const kind = kindOf(me)
  const isStaff = kind === 'staff'
  const [warehouseId] = [useSearch().WarehouseId].flat()
  const { data, isError } = useQuery(
    read('/v1/dashboard', warehouseId === undefined ? {} : { query: { WarehouseId: warehouseId } }),
  )
  if (isStaff && me.warehouses.length === 0) return <FirstSteps me={me} />
  const mayRead = (scope: string) => isStaff && hasScope(me, scope)
  const isClient = kind === 'client'
  const main = (
    <div key="main" className={styles.main}>
      {isClient && hasScope(me, 'consignment.read') && <OpenOrders />}
      {isClient && <Stock />}
      {hasScope(me, 'consignment.read') && <InAndOut series={data?.series} isError={isError} />}
      {mayRead('job.read') && data !== undefined && <Waves waves={data.waves} />}
    </div>
  )
  const aside = (
    <div key="aside" className={styles.aside}>
      <NeedsYou />
      {isClient && hasScope(me, 'inventory.read') && <NearExpiry />}
      {isClient && hasScope(me, 'financial.read') && <LastBill />}
      {mayRead('warehouse.read') && data !== undefined && (
        <Space zones={data.zones} hasOne={warehouseId !== undefined || me.warehouses.length === 1} />
      )}
    </div>
  )
  return (
    <Page
      heading={words.home}
      beside={<span className={styles.quiet}>{dayInFull(todayIn(me.organisation.timezoneId))}</span>}
      acts={
        isClient
          ? hasScope(me, 'consignment') && <NewOrder />
          : isStaff && me.warehouses.length > 1 && <WarehouseMenu warehouseId={warehouseId} />
      }
    >
      {kind === 'carrier' && hasScope(me, 'consignment.read') && <MyRun />}
      <Today figures={data?.figures} isError={isError} warehouseId={warehouseId} />
      <div className={styles.columns}>
        {/* On a phone they follow each other: orders first for a client, what needs somebody for staff. */}
        {isClient ? [main, aside] : [aside, main]}
      </div>
    </Page>
  )
}

/** What a client's people come for. */
function NewOrder() {
  const go = useGo()
  const create = () => go('/consignments/new')
  useKeys({ c: create })
  return (
    <Button kind="main" hint="C" onPress={create}>
      {consignmentWords.newConsignment}
    </Button>
  )
}

/** Chooses the warehouse whose day is shown. */
function WarehouseMenu({ warehouseId }: { warehouseId: string | undefined }) {
  const { warehouses } = useMe()
  const changeSearch = useChangeSearch()
  const choices = [{ id: '', name: words.allWarehouses }, ...warehouses]
  const chosen = choices.find(({ id }) => id === (warehouseId ?? ''))
  return (
    <Menu
      label={words.warehouse}
      groups={[
        {
          acts: choices.map(({ id, name }) => ({
            ...{ id: id || 'all', text: name, isChosen: id === (warehouseId ?? '') },
            onAct: () => changeSearch({ WarehouseId: id }),
          })),
        },
      ]}
    >
      <Button>
        {chosen?.name ?? words.warehouse} <DownIcon />
      </Button>
    </Menu>
  )
}

/** What to set up in an organisation that has no warehouse yet. */
const FirstSteps = ({ me }: { me: Me }) => (
  <Page heading={words.home} state="empty">
    <p className={styles.quiet}>{words.firstStepsWhy}</p>
    <ol aria-label={words.firstSteps} className={styles.steps}>
      {words.steps.map(({ text, path, view, scope }) => (
        <li key={text}>
          {hasScope(me, scope) ? (
            <Link to={path} search={{ view } as never}>
              {text}
            </Link>
          ) : (
            text
          )}
        </li>
      ))}
    </ol>
    <a href="/docs">{words.apiReference}</a>
  </Page>
)
