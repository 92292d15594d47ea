import{c as e,h as o}from"./chunk-VOKHP44R.js";function i({name:t,children:r}){return e(()=>{document.title=`${t} \u2013 Fermata`},[t]),o("h1",{children:r??t})}export{i as a};
