import{l as a,m as b,n as c}from"./chunk-NFLYCY7F.js";export{a as GAP,b as HEAD,c as place};
