export const hello = "庄闲和";
