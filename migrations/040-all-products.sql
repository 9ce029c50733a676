-- The products of all clients in one list, in the order of their codes. Spec 2.12 (GET /v1/products).
create index product_by_code on product (organisation_id, code, id);
