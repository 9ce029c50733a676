-- What screens ask for among the consignments that are neither Void nor Closed: those that are due, and those
-- from or to a city; and which print jobs are in doubt. Most consignments are Closed, so these indexes stay
-- small.

-- When its next step should be done: goods arrive, leave or, where nobody says when, are delivered. The other
-- columns let a count be made from the index alone.
create index consignment_due on consignment (organisation_id, (case type
    when 1 then expected_arrival_date_time
    when 2 then coalesce(expected_dispatch_date_time, expected_delivery_date_time)
    else expected_delivery_date_time end), number)
  include (status, type, client_id, carrier_id, warehouse_id, priority, date_entered,
    expected_arrival_date_time, expected_dispatch_date_time, expected_delivery_date_time)
  where status not in (-2, 6);
create index consignment_from_city on consignment (organisation_id, lower(origin_address ->> 'city'))
  where status not in (-2, 6);
create index consignment_to_city on consignment (organisation_id, lower(destination_address ->> 'city'))
  where status not in (-2, 6);

create index print_job_in_doubt on print_job (organisation_id, finished_utc, id) where is_in_doubt;

-- What was dispatched on the last days.
create index consignment_dispatched on consignment (organisation_id, actual_dispatch_date_time)
  include (type, status, client_id, carrier_id, warehouse_id) where actual_dispatch_date_time is not null;
