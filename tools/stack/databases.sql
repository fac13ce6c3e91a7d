CREATE ROLE baari_{service}_owner LOGIN PASSWORD '{owner}';
CREATE ROLE baari_{service}_app LOGIN PASSWORD '{app}';
GRANT baari_{service}_owner TO CURRENT_USER;
CREATE DATABASE baari_{service} OWNER baari_{service}_owner;
REVOKE ALL ON DATABASE baari_{service} FROM PUBLIC;
GRANT CONNECT ON DATABASE baari_{service} TO baari_{service}_app;
