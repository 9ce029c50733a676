-- What the search for everything reads. It finds records by how one of their texts begins, so each text has
-- an index in the order of its letters, and a search reads so many entries of it, however many there are.
-- `text_pattern_ops` is that order whatever the collation of the database is.

create index consignment_reference_begins on consignment
  (organisation_id, lower(reference_number) text_pattern_ops) where reference_number is not null;
create index consignment_po_begins on consignment (organisation_id, lower(po_number) text_pattern_ops)
  where po_number is not null;
create index consignment_container_begins on consignment
  (organisation_id, lower(container_number) text_pattern_ops) where container_number is not null;
create index consignment_consignee_begins on consignment
  (organisation_id, lower(destination_address ->> 'name') text_pattern_ops)
  where destination_address ->> 'name' is not null;
create index consignment_tracking_begins on consignment_tracking
  (organisation_id, lower(tracking_number) text_pattern_ops) where tracking_number is not null;

create index product_code_begins on product (organisation_id, lower(code) text_pattern_ops);
create index product_name_begins on product (organisation_id, lower(name) text_pattern_ops);
create index warehouse_location_name_begins on warehouse_location
  (organisation_id, lower(name) text_pattern_ops);
create index logistic_unit_reference_begins on logistic_unit
  (organisation_id, lower(reference_number) text_pattern_ops) where reference_number is not null;

-- What a request did. An import that became a consignment has its event, so that accepting one writes nothing
-- more.
create index event_of_request on event (organisation_id, request_id) where request_id is not null;
create index administration_entry_of_request on administration_entry (organisation_id, request_id)
  where request_id is not null;
create index consignment_import_of_request on consignment_import (organisation_id, request_id)
  where status in (2, 4);
create index webhook_delivery_of_event on webhook_delivery (organisation_id, event_id);

-- What expires, or is best before, by a day: a filter of the list of stock.
create index warehouse_product_expires on warehouse_product
  (organisation_id, (least(expiry_date, best_before_date)))
  where not is_depleted and least(expiry_date, best_before_date) is not null;
