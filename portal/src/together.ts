// Which orders can go into one wave.

interface Apart {
  id: string
  clientId: string
  clientName: string
  warehouseName: string | null
}

/** Orders of one client and one warehouse, which can go together. */
export interface Together {
  clientName: string
  warehouseName: string | null
  ids: readonly string[]
}

/** The orders by client and warehouse, most orders first. */
export function togetherOf(orders: readonly Apart[]): readonly Together[] {
  const groups = Map.groupBy(orders, ({ clientId, warehouseName }) => `${clientId} ${warehouseName}`)
  return [...groups.values()]
    .map(group => ({
      clientName: group[0]?.clientName ?? '',
      warehouseName: group[0]?.warehouseName ?? null,
      ids: group.map(({ id }) => id),
    }))
    .sort((a, b) => b.ids.length - a.ids.length)
}
