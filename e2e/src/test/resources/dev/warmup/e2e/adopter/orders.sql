create sequence order_ids;
create table orders (id bigint default next value for order_ids primary key, customer varchar(100) not null);
create table audit (id bigint generated always as identity primary key, order_id bigint not null);
