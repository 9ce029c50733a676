// What a client's person sees first: their open orders, their stock, what expires soon, and the last bill.

import { useQuery } from '@tanstack/react-query'
import { ConsignmentStatus } from '../../../../client/src/waybill.ts'
import { Identifier } from '../../../../ui/Identifier.tsx'
import { LocalDay, LocalTime } from '../../../../ui/LocalTime.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { quantity } from '../../../../ui/numbers.ts'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, Rows, SmallTable } from '../../../../ui/Region.tsx'
import { dayFromToday, todayIn } from '../../../../ui/time.ts'
import { read } from '../../api.ts'
import { isAtRest, toneOf } from '../../consignment-status.ts'
import { SchedulePill } from '../../lists/schedules.tsx'
import { hasScope, useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { consignmentWords } from '../../words/consignments.ts'
import { homeWords as words } from '../../words/home.ts'
import styles from './home.module.css'

const { Draft, Pending, ReadyToReceive, ReadyToPick, ReadyToDispatch, InProgress, InTransit } =
  ConsignmentStatus
/** What is not at its end. */
const underWay = [Draft, Pending, ReadyToReceive, ReadyToPick, ReadyToDispatch, InProgress, InTransit]

/** How many rows a region shows of its list, which its link opens. */
const shown = 6
const daysAhead = 60
const pageOfStock = 500

/** The open orders that are due first. */
export function OpenOrders() {
  const { data, isError } = useQuery(
    read('/v1/consignments', {
      query: {
        ...{ Status: underWay, Include: 'figures', Sort: 'due', PageSize: shown },
      } as never,
    }),
  )
  const state = regionStateOf(isError, data?.consignments)
  return (
    <Region
      heading={words.openOrders}
      state={state}
      summary={data?.total}
      acts={<Link to="/consignments">{words.showAll}</Link>}
    >
      {state === 'empty' ? (
        <Nothing text={words.noOpenOrders} />
      ) : (
        <Rows>
          {data?.consignments.map(row => (
            <li key={row.id} data-id={row.id}>
              <Link to={`/consignments/${row.id}`}>
                <Identifier value={row.consignmentNumber} />
              </Link>
              <Pill
                text={consignmentWords.status(row.status)}
                tone={toneOf(row.status)}
                isRing={isAtRest(row.status)}
              />
              <span className={styles.rowText}>{row.destinationName ?? row.originName}</span>
              <span className={row.isLate ? styles.late : styles.quiet}>
                {row.dueDateTime != null && <LocalTime value={row.dueDateTime} />}
              </span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

/** What is in store, by product. */
export function Stock() {
  const me = useMe()
  const { data, isError } = useQuery({
    ...read('/v1/products', { query: { PageSize: shown } }),
    enabled: hasScope(me, 'partner.read'),
  })
  const state = regionStateOf(isError, data?.products)
  if (!hasScope(me, 'partner.read')) return null
  return (
    <Region
      heading={words.stock}
      state={state}
      summary={data && words.products(data.total)}
      acts={<Link to="/products">{words.showAll}</Link>}
    >
      {state === 'empty' ? (
        <Nothing text={words.noProducts} />
      ) : (
        <SmallTable
          label={words.stock}
          heads={[
            { text: words.product },
            { text: words.onHand, isAtEnd: true },
            { text: words.free, isAtEnd: true },
          ]}
          rows={(data?.products ?? []).map(({ id, partnerId, code, name, ...figures }) => ({
            id,
            cells: [
              <span key="product">
                <Link to={`/products/${partnerId}/${id}`}>{code}</Link>{' '}
                <span className={styles.quiet}>{name}</span>
              </span>,
              quantity(figures.onHandQuantity),
              quantity(figures.availableQuantity),
            ],
          }))}
        />
      )}
    </Region>
  )
}

/** The stock that expires first, of what expires within two months. */
export function NearExpiry() {
  const me = useMe()
  const today = todayIn(me.organisation.timezoneId)
  const ExpiryTo = dayFromToday(daysAhead, me.organisation.timezoneId)
  const { data, isError } = useQuery(
    read('/v1/inventory', { query: { ExpiryTo, PageSize: pageOfStock } as never }),
  )
  const rows = data?.inventory
    .flatMap(({ products }) => products)
    .filter(({ expiryDate }) => expiryDate != null && expiryDate <= ExpiryTo)
    .toSorted((a, b) => ((a.expiryDate ?? '') < (b.expiryDate ?? '') ? -1 : 1))
  const state = regionStateOf(isError, rows)
  return (
    <Region
      heading={words.nearExpiry}
      state={state}
      summary={words.withinDays(daysAhead)}
      acts={
        <Link to="/inventory" search={{ ExpiryTo } as never}>
          {words.showAll}
        </Link>
      }
    >
      {state === 'empty' ? (
        <Nothing text={words.nothingExpires} />
      ) : (
        <Rows>
          {rows?.slice(0, shown).map(row => (
            <li key={row.warehouseProductId} data-id={row.warehouseProductId}>
              <Link to={`/inventory/${row.warehouseProductId}`}>{row.partnerProductCode}</Link>
              <span>{quantity(row.onHandQuantity)}</span>
              <span className={styles.quiet}>{row.batch}</span>
              <span className={(row.expiryDate ?? '') < today ? styles.late : ''}>
                <LocalDay value={row.expiryDate} />
              </span>
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}

/** The bill of the last period. */
export function LastBill() {
  const { currencyCode } = useMe().organisation
  const { data, isError } = useQuery(read('/v1/schedules', { query: { PageSize: 1 } }))
  const state = regionStateOf(isError, data?.schedules)
  return (
    <Region heading={words.lastBill} state={state} acts={<Link to="/schedules">{words.showAll}</Link>}>
      {state === 'empty' ? (
        <Nothing text={words.noBill} />
      ) : (
        <Rows>
          {data?.schedules.map(({ id, date, amountExclTax, status }) => (
            <li key={id} data-id={id}>
              <Link to={`/schedules/${id}`}>
                <LocalDay value={date} />
              </Link>
              <SchedulePill status={status} />
              <Money value={amountExclTax} currency={currencyCode} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
