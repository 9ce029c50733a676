-- A consignment with everything that it holds, as the JSON of one answer. Spec 2.2 to 2.7. The schema of the
-- answer is in src/consignments/detail, and a test holds the two against each other. `partner` is the partner
-- that the reader belongs to, null for the organisation: a partner sees only its own returns.
--
-- The planner puts the text of this function in the place of its call, once a connection. In a statement it
-- would be sent once too, but measured, copied and walked in search of locks by every request.
--
-- Most of the time goes into starting the parts of a plan, for each column that a part hands on. So:
-- * an object is a row whose columns are named as its fields, made by a lateral select that reads nothing;
-- * a collection is an array of such rows;
-- * what is found by keys of the consignment is joined to the few columns of `k`, and its many columns are
--   read last, from `c`. `offset 0` keeps the planner from reading them first.

create function consignment_detail(organisation uuid, consignment uuid, connection uuid, partner uuid)
returns table (organisation_id uuid, id uuid, client_id uuid, carrier_id uuid, detail json)
language sql stable rows 1 parallel safe as $$
select c.organisation_id, c.id, c.client_id, c.carrier_id, to_json(fields)
from (
  select k.organisation_id, k.id, client.name as client_name, client.code as client_code, client_row,
    carrier.name as carrier_name, carrier.code as carrier_code,
    case when carrier.id is not null then carrier_row end as carrier_row,
    warehouse.name as warehouse_name, warehouse.code as warehouse_code, edi.edi_status,
    load_port.code as load_port_code, discharge_port.code as discharge_port_code,
    lines.products, metrics, service_types.service_types, service_types.codes as service_type_codes
  from consignment k
  join partner client on client.organisation_id = k.organisation_id and client.id = k.client_id
  cross join lateral (
    select client.id, client.external_id as "externalId", client.name, client.code, client.email,
      client.relationship, client.status
  ) client_row
  left join partner carrier on carrier.organisation_id = k.organisation_id and carrier.id = k.carrier_id
  cross join lateral (
    select carrier.id, carrier.external_id as "externalId", carrier.name, carrier.code, carrier.email,
      carrier.relationship, carrier.status
  ) carrier_row
  left join warehouse on warehouse.organisation_id = k.organisation_id and warehouse.id = k.warehouse_id
  left join consignment_edi edi on edi.organisation_id = k.organisation_id and edi.consignment_id = k.id
    and edi.identity_connection_id = connection
  left join shipping_port load_port on load_port.id = k.load_shipping_port_id
  left join shipping_port discharge_port on discharge_port.id = k.discharge_shipping_port_id
  cross join lateral (
    select coalesce(json_agg(line_row order by r.ordinal), '[]') as products,
      coalesce(trim_scale(sum(r.expected_quantity)), 0) as quantity,
      trim_scale(sum(r.expected_weight_kg)) as weight_kg,
      trim_scale(sum(r.expected_volume_m3)) as volume_m3,
      coalesce(sum(case k.type when 1 then r.received_quantity else r.dispatched_quantity end), 0)
        as actual_quantity,
      coalesce(sum(case k.type when 1 then r.received_weight_kg else r.dispatched_weight_kg end), 0)
        as actual_weight_kg,
      coalesce(sum(case k.type when 1 then r.received_volume_m3 else r.dispatched_volume_m3 end), 0)
        as actual_volume_m3
    from consignment_product r
    cross join lateral (
      select r.id, (
          select product_row from product p cross join lateral (select p.id, p.code, p.name) product_row
          where p.organisation_id = r.organisation_id and p.id = r.product_id
        ) as product,
        r.product_code as "productCode", r.goods_description as "goodsDescription", r.batch,
        as_local(r.best_before_date) as "bestBeforeDate", as_local(r.expiry_date) as "expiryDate",
        as_local(r.packaging_date) as "packagingDate", as_local(r.production_date) as "productionDate",
        as_local(r.sell_by_date) as "sellByDate", (
          select p.code from package_type p
          where p.organisation_id = r.organisation_id and p.id = r.package_type_id
        ) as "packageTypeCode",
        r.logistic_unit_sscc_number as "logisticUnitSsccNumber",
        r.logistic_unit_reference_number as "logisticUnitReferenceNumber",
        r.critical_stock_status as "criticalStockStatus",
        r.is_manual_reconciliation_required as "isManualReconciliationRequired",
        coalesce(r.attributes, '[]') as attributes, trim_scale(r.expected_quantity) as "expectedQuantity",
        trim_scale(r.expected_weight_kg) as "expectedWeightKG",
        trim_scale(r.expected_volume_m3) as "expectedVolumeM3",
        trim_scale(r.allocated_quantity) as "allocatedQuantity",
        trim_scale(r.picked_quantity) as "pickedQuantity",
        trim_scale(r.received_quantity) as "receivedQuantity",
        trim_scale(r.received_weight_kg) as "receivedWeightKG",
        trim_scale(r.received_volume_m3) as "receivedVolumeM3",
        trim_scale(r.dispatched_quantity) as "dispatchedQuantity",
        trim_scale(r.dispatched_weight_kg) as "dispatchedWeightKG",
        trim_scale(r.dispatched_volume_m3) as "dispatchedVolumeM3",
        case when r.received_quantity = 0 then 0 else (
          select coalesce(trim_scale(sum(p.on_hand_quantity)), 0)
          from inventory_hold h
          join warehouse_product p on p.organisation_id = h.organisation_id and p.inventory_hold_id = h.id
            and not p.is_depleted
          where h.organisation_id = r.organisation_id and h.consignment_product_id = r.id
            and h.released_utc is null
        ) end as "heldQuantity",
        trim_scale(greatest(0, case k.type
          when 1 then r.expected_quantity - r.received_quantity
          when 2 then r.expected_quantity - r.allocated_quantity - r.picked_quantity - r.dispatched_quantity
        end)) as "shortQuantity", array(
          select item_row
          from consignment_product_item i
          cross join lateral (
            select i.serial, trim_scale(i.quantity) as quantity, trim_scale(i.weight_kg) as "weightKG",
              trim_scale(i.volume_m3) as "volumeM3"
          ) item_row
          where i.organisation_id = r.organisation_id and i.consignment_product_id = r.id
          order by i.ordinal
        ) as items,
        -- What left with the line of which this one returns goods, net of dispatches that were undone.
        case when r.return_of_consignment_product_id is null then '[]' else (
          select coalesce(json_agg(sent_row), '[]') from (
            select p.product_id as "partnerProductId", p.batch, as_local(p.expiry_date) as "expiryDate",
              trim_scale(-sum(t.quantity)) as quantity
            from inventory_transaction t
            join warehouse_product p
              on p.organisation_id = t.organisation_id and p.id = t.warehouse_product_id
            where t.organisation_id = r.organisation_id and t.consignment_id = k.return_of_consignment_id
              and t.consignment_product_id = r.return_of_consignment_product_id and t.type = 6
            group by p.product_id, p.batch, p.expiry_date having sum(t.quantity) < 0
            order by p.product_id, p.batch, p.expiry_date
          ) sent_row
        ) end as "sentBatches"
    ) line_row
    where r.organisation_id = k.organisation_id and r.consignment_id = k.id
  ) lines
  cross join lateral (
    select lines.quantity as "expectedQuantity", lines.weight_kg as "expectedWeightKG",
      lines.volume_m3 as "expectedVolumeM3",
      -- Complete and Closed; a point-to-point consignment has no stock of its own.
      case when is_over then trim_scale(lines.actual_quantity) end as "actualQuantity",
      case when is_over then trim_scale(lines.actual_weight_kg) end as "actualWeightKG",
      case when is_over then trim_scale(lines.actual_volume_m3) end as "actualVolumeM3"
    from (select k.status in (0, 6) and k.type <> 0 as is_over) status
  ) metrics
  cross join lateral (
    select coalesce(json_agg(type_row order by t.name, t.id), '[]') as service_types,
      coalesce(json_agg(t.code order by t.name, t.id), '[]') as codes
    from consignment_service_type r
    join service_type t on t.organisation_id = r.organisation_id and t.id = r.service_type_id
    cross join lateral (select t.id, t.code, t.name) type_row
    where r.organisation_id = k.organisation_id and r.consignment_id = k.id
  ) service_types
  where k.organisation_id = organisation and k.id = consignment
  offset 0
) around
join consignment c on c.organisation_id = around.organisation_id and c.id = around.id
cross join lateral (
  select c.id, c.consignment_number as "consignmentNumber", c.client_id as "clientId",
    around.client_name as "clientName", around.client_code as "clientCode",
    as_local(c.date_entered) as "dateEntered", c.type, c.status, c.warehouse_id as "warehouseId",
    around.warehouse_name as "warehouseName", c.carrier_id as "carrierId",
    around.carrier_name as "carrierName", c.carrier_reference_number as "carrierReferenceNumber",
    around.edi_status as "ediStatus", c.reference_number as "referenceNumber",
    c.external_id as "externalId", as_local(c.date_entered) as "enteredDate",
    as_local(c.expected_arrival_date_time) as "expectedArrivalDateTime",
    as_local(c.expected_dispatch_date_time) as "expectedDispatchDateTime",
    as_local(c.expected_delivery_date_time) as "expectedDeliveryDateTime",
    c.delivery_instructions as "deliveryInstructions", c.picking_instructions as "pickingInstructions",
    c.receivers_reference as "receiversReference", c.senders_reference as "sendersReference",
    c.po_number as "poNumber", c.so_number as "soNumber", c.container_number as "containerNumber",
    c.container_seal_number as "containerSealNumber", c.container_size as "containerSize",
    c.container_type as "containerType", trim_scale(c.container_tare_weight_kg) as "containerTareWeightKG",
    trim_scale(c.container_gross_weight_kg) as "containerGrossWeightKG",
    c.container_yard_code as "containerYardCode", c.container_yard_reference as "containerYardReference",
    c.container_vessel_name as "containerVesselName", c.container_voyage as "containerVoyage",
    around.carrier_code as "carrierCode", c.carrier_reference_number as "carrierReference",
    c.carrier_run_number as "carrierRunNumber", c.carrier_run_ordinal as "carrierRunOrdinal",
    around.warehouse_code as "warehouseCode", c.origin_address as "originAddress",
    c.origin_address_attention as "originAddressAttention", c.destination_address as "destinationAddress",
    c.destination_address_attention as "destinationAddressAttention",
    c.destination_authority_to_leave as "destinationAuthorityToLeave",
    c.default_receive_location_id as "defaultReceiveLocationId",
    c.default_dispatch_location_id as "defaultDispatchLocationId",
    around.load_port_code as "loadShippingPortCode",
    around.discharge_port_code as "dischargeShippingPortCode", c.type as "consignmentType", c.priority,
    as_local(c.actual_receive_date_time) as "actualReceiveDateTime",
    as_local(c.actual_dispatch_date_time) as "actualDispatchDateTime",
    c.closed_transaction_date as "closedTransactionDate", (
      select origin_row from consignment o
      cross join lateral (
        select o.id as "consignmentId", o.consignment_number as "consignmentNumber"
      ) origin_row
      where o.organisation_id = c.organisation_id and o.id = c.return_of_consignment_id
        and (partner is null or partner in (o.client_id, o.carrier_id))
    ) as "returnOf", array(
      select return_row from consignment b
      cross join lateral (
        select b.id as "consignmentId", b.consignment_number as "consignmentNumber", b.status
      ) return_row
      where b.organisation_id = c.organisation_id and b.return_of_consignment_id = c.id
        and (partner is null or partner in (b.client_id, b.carrier_id))
      order by b.number
    ) as returns, around.client_row as client,
    around.carrier_row as carrier, around.service_type_codes as "serviceTypeCodes", around.products,
    around.metrics, array(
      select tracking_row
      from consignment_tracking r
      cross join lateral (
        select r.id, r.carrier_name as "carrierName", r.status, r.tracking_number as "trackingNumber",
          r.tracking_url as "trackingUrl", r.integration_name as "integrationName",
          as_utc(r.created_utc) as "createdUtc", as_utc(r.modified_utc) as "modifiedUtc",
          r.last_updated_date as "lastUpdatedDate"
      ) tracking_row
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      order by r.created_utc, r.id
    ) as "consignmentTracking", array(
      select note_row
      from consignment_note r
      cross join lateral (
        select r.id, r.note, r.display_on_print_out as "displayOnPrintOut", (
            select count(*) from consignment_note_attachment a
            where a.organisation_id = r.organisation_id and a.consignment_note_id = r.id
          ) as "attachmentCount"
      ) note_row
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      order by r.created_utc, r.id
    ) as notes, array(
      select consumable_row
      from consignment_consumable r
      join consumable_type t on t.organisation_id = r.organisation_id and t.id = r.consumable_type_id
      cross join lateral (
        select r.id, t.id as "consumableTypeId", t.name as "consumableTypeName", trim_scale(r.value) as value
      ) consumable_row
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      order by t.name, t.id
    ) as consumables, array(
      select task_row
      from consignment_task r
      join task_type t on t.organisation_id = r.organisation_id and t.id = r.task_type_id
      cross join lateral (
        select r.id, t.id as "taskTypeId", t.name as "taskTypeName", trim_scale(r.value) as value
      ) task_row
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      order by t.name, t.id
    ) as tasks, around.service_types as "serviceTypes", array(
      select pod_row
      from consignment_pod r
      cross join lateral (
        select r.id, as_utc(r.event_utc) as "eventUtc", r.signatory_name as "signatoryName",
          r.external_url as "externalUrl"
      ) pod_row
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      order by r.event_utc, r.id
    ) as pods, array(
      select job_row
      from job_consignment r
      join job j on j.organisation_id = r.organisation_id and j.id = r.job_id
      cross join lateral (
        select j.id as "jobId", j.job_number as "jobNumber", j.reference, j.status, j.priority, j.type,
          j.wave_pick_style as "wavePickStyle", r.position, as_local(j.due_date_time) as "dueDateTime"
      ) job_row
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      order by j.number
    ) as jobs
) fields
$$;
